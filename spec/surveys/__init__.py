"""What a survey protects: data sets whose records have units, the stages of a survey, and the settings it can be in.

Reading order: `unit_data`; `stages`, what can come from what; `settings`, which a domain and its multiverse make.
"""
