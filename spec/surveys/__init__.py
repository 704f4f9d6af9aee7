"""What a survey protects: data sets whose records have units, the stages of a survey, and its ten settings.

Reading order: `unit_data`; then the stages and the settings that a domain and its multiverse make.
"""
