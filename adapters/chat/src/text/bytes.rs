//! Sizes as people read them.

/// A number of bytes for people: `2 MB`, `1.5 kB`.
pub fn bytes_shown(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    let Some((unit, of)) = UNITS.into_iter().find(|(_, of)| bytes >= *of) else { return format!("{bytes} B") };
    // Limits are often written in powers of two: 2 × 1024 × 1024 reads better as 2 MB than as 2.1 MB.
    let binary = of.ilog10() / 3;
    let per = 1024_u64.pow(binary);
    let (whole, tenth) = if bytes.is_multiple_of(per) { (bytes / per, 0) } else { (bytes / of, bytes % of * 10 / of) };
    if tenth == 0 { format!("{whole} {unit}") } else { format!("{whole}.{tenth} {unit}") }
}

/// Bytes in hexadecimal digits, two each: `00ff`.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_short() {
        let cases = [
            (512, "512 B"),
            (2_097_152, "2 MB"),
            (2_000_000, "2 MB"),
            (1_500, "1.5 kB"),
            (u64::MAX, "18446744073.7 GB"),
        ];
        for (bytes, shown) in cases {
            assert_eq!(bytes_shown(bytes), shown);
        }
    }

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
