"""The censuses: TopDown, the 2020 Disclosure Avoidance System, units of protection, imputation."""
