//! Characters that nobody sees.

/// Whether a character that is no white space draws nothing by itself: it joins, parts, styles or turns what stands beside
/// it, or is a letter without a shape. They are those of Unicode's property `Default_Ignorable_Code_Point`, the empty Braille
/// pattern and the marks of interlinear notes.
pub fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::is_unseen;

    #[test]
    fn what_draws_nothing_is_told_from_what_does() {
        assert!("\u{ad}\u{200b}\u{200d}\u{202e}\u{2060}\u{feff}\u{fe0f}\u{e0041}".chars().all(is_unseen));
        assert!(!"aß٣ -.\u{301}👍\n".chars().any(is_unseen));
    }
}
