"""What privacy costs in money: the generator's profit, the households' bills."""
