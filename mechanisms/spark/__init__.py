"""Array implementations on Apache Spark, for data that no one machine holds; each is the local one, group by group."""
