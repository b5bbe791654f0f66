//! What this replica knows of the use of one key's budget.

use chrono::NaiveDate;

use super::allocation::Allocation;

/// The use of a budget in one period.
#[derive(Debug, Default)]
pub struct BudgetUse {
    /// The first day of the period.
    period: Option<NaiveDate>,
    /// The used tokens in the database.
    written: i64,
    /// The tokens that this replica has counted since.
    unwritten: i64,
    /// The tokens that the database has allocated to this replica, and whose usage it does not have
    /// yet.
    allocated: i64,
    /// Whether calls were admitted with them since some were returned.
    uses_allocated: bool,
}

impl BudgetUse {
    /// The used tokens of the period from `start`: those in the database, and the others.
    pub fn used(&self, start: NaiveDate) -> (i64, i64) {
        match self.period == Some(start) {
            true => (self.written, self.unwritten),
            false => (0, 0),
        }
    }

    /// The allocated tokens of the period from `start` that no call has used.
    pub fn unused(&self, start: NaiveDate) -> i64 {
        match self.period == Some(start) {
            true => self.allocated.saturating_sub(self.unwritten),
            false => 0,
        }
    }

    /// Counts tokens of a call in the period from `start`. An earlier period than the current one is
    /// over.
    pub fn count(&mut self, start: NaiveDate, tokens: i64) {
        if self.period.is_none_or(|known| known < start) {
            self.begin(start);
        }
        if self.period == Some(start) {
            self.unwritten = self.unwritten.saturating_add(tokens);
        }
    }

    /// Records that the database has `used` tokens in the period from `start`, `written` of them
    /// from this replica.
    pub fn follow(&mut self, start: NaiveDate, used: i64, written: i64) {
        match self.period == Some(start) {
            true => {
                self.unwritten = self.unwritten.saturating_sub(written);
                self.allocated = self.allocated.saturating_sub(written).max(0);
            }
            false => self.begin(start),
        }
        self.written = used;
    }

    /// Records that the database has at least `used` tokens in the period from `start`.
    pub fn catch_up(&mut self, start: NaiveDate, used: i64) {
        self.begin(start);
        self.written = self.written.max(used);
    }

    /// Adds tokens that the database has allocated.
    pub fn allocate(&mut self, allocation: &Allocation) {
        self.catch_up(allocation.period, allocation.used);
        self.allocated = self.allocated.saturating_add(allocation.tokens);
    }

    /// Records that a call was admitted with allocated tokens.
    pub fn use_allocated(&mut self) {
        self.uses_allocated = true;
    }

    /// Returns allocated tokens of the period from `start` that no call has used or `reserved`: half
    /// of them, or all if no call was admitted since the last time. The result is the rest.
    pub fn return_some(&mut self, start: NaiveDate, reserved: i64) -> i64 {
        let (held, spare) = self.held(start, reserved);
        let kept = match std::mem::take(&mut self.uses_allocated) {
            true => spare / 2,
            false => 0,
        };
        self.allocated = held.saturating_add(kept);
        self.allocated
    }

    /// Returns all allocated tokens of the period from `start` that no call has used or `reserved`.
    /// The result is their number.
    pub fn return_all(&mut self, start: NaiveDate, reserved: i64) -> i64 {
        let (_, spare) = self.held(start, reserved);
        self.allocated -= spare;
        spare
    }

    /// The tokens that calls have used or `reserved`, and the other allocated ones.
    fn held(&mut self, start: NaiveDate, reserved: i64) -> (i64, i64) {
        self.begin(start);
        let held = self.unwritten.saturating_add(reserved).max(0);
        (held, self.allocated.saturating_sub(held).max(0))
    }

    /// Forgets all allocated tokens.
    pub fn forget_allocated(&mut self) {
        self.allocated = 0;
        self.uses_allocated = false;
    }

    /// Begins a period, unless it is the current one.
    fn begin(&mut self, start: NaiveDate) {
        if self.period != Some(start) {
            *self = BudgetUse {
                period: Some(start),
                ..BudgetUse::default()
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).expect("a day")
    }

    fn allocated(period: NaiveDate, tokens: i64) -> Allocation {
        Allocation {
            period,
            tokens,
            used: 0,
        }
    }

    #[test]
    fn spare_tokens_are_returned_by_halves_and_at_once_when_calls_pause() {
        let mut budget = BudgetUse::default();
        budget.allocate(&allocated(day(1), 100));
        budget.use_allocated();
        budget.count(day(1), 20);
        // 20 are used and 10 reserved. Half of the other 70 stay.
        assert_eq!(budget.return_some(day(1), 10), 65);
        assert_eq!(budget.unused(day(1)), 45);
        assert_eq!(budget.return_some(day(1), 10), 30);
        budget.follow(day(1), 20, 20);
        assert_eq!(budget.return_some(day(1), 0), 0);
    }

    #[test]
    fn a_rejected_replica_keeps_what_its_calls_hold_and_gets_nothing() {
        let mut budget = BudgetUse::default();
        budget.allocate(&allocated(day(1), 34));
        assert_eq!(budget.return_all(day(1), 10), 24);
        assert_eq!(budget.unused(day(1)), 10);
        // Calls that its share admitted hold more than is allocated.
        assert_eq!(budget.return_all(day(1), 50), 0);
        assert_eq!(budget.unused(day(1)), 10);
    }

    #[test]
    fn a_new_period_has_no_tokens_of_the_one_before() {
        let mut budget = BudgetUse::default();
        budget.allocate(&allocated(day(1), 100));
        budget.count(day(1), 10);
        assert_eq!((budget.used(day(2)), budget.unused(day(2))), ((0, 0), 0));
        budget.count(day(2), 5);
        budget.count(day(1), 7);
        assert_eq!(budget.used(day(2)), (0, 5));
        assert_eq!(budget.unused(day(2)), -5);
    }
}
