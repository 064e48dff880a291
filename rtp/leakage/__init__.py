"""Privacy over time: what rates tell about one moment, a stretch of days, a whole history."""
