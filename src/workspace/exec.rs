//! What decides how a command of `exec` ends. The timer, the signal and the race itself are
//! JavaScript's; see the module above.

/// The longest time that a timer of Node waits. A longer one fires at once.
pub const MAX_TIMER_MS: f64 = 2_147_483_647.0;

/// The exit code of a command that didn't start, or whose run the provider gave up with an error.
pub const NOT_RUN_EXIT_CODE: i32 = 1;

/// Why the backend stopped a command. The first reason wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Its time was up.
    Timeout,
    /// The caller's signal was aborted, before the command or while it ran.
    Signal,
}

impl StopReason {
    /// The exit code that the caller gets for the stopped command.
    pub const fn exit_code(self) -> i32 {
        match self {
            Self::Timeout => 124,
            Self::Signal => 1,
        }
    }
}

/// How long the timer of a command waits, for its `timeoutMs`. `None` is no timer: for 0 and NaN.
///
/// A negative time is over at once, and one that no timer can hold is [`MAX_TIMER_MS`].
pub fn timer_ms(timeout_ms: f64) -> Option<f64> {
    if timeout_ms == 0.0 || timeout_ms.is_nan() {
        return None;
    }
    Some(timeout_ms.clamp(0.0, MAX_TIMER_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_tell_why_a_command_was_stopped() {
        assert_eq!(StopReason::Timeout.exit_code(), 124);
        assert_eq!(StopReason::Signal.exit_code(), 1);
        assert_eq!(NOT_RUN_EXIT_CODE, 1);
    }

    #[test]
    fn zero_and_nan_are_no_timeout() {
        assert_eq!(timer_ms(0.0), None);
        assert_eq!(timer_ms(-0.0), None);
        assert_eq!(timer_ms(f64::NAN), None);
    }

    #[test]
    fn a_timeout_is_one_that_a_timer_can_hold() {
        let cases = [
            (0.5, 0.5),
            (200.0, 200.0),
            (2_147_483_647.0, MAX_TIMER_MS),
            (2_147_483_648.0, MAX_TIMER_MS),
            (f64::INFINITY, MAX_TIMER_MS),
            (-5.0, 0.0),
            (f64::NEG_INFINITY, 0.0),
        ];
        for (timeout_ms, expected) in cases {
            assert_eq!(timer_ms(timeout_ms), Some(expected), "{timeout_ms}");
        }
    }
}
