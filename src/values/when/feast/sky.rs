//! Where the sun and the moon stand, as calendars need it: the days of new moons, of the sun's entry into a sign, of the
//! first crescent.
//!
//! After J. Meeus, *Astronomical Algorithms* (2nd edition): the sun by chapter 25 (to 0.01 degrees), the moon by the
//! greatest terms of chapter 47 (to 0.03 degrees, four minutes of its motion). Good from 1900 to 2100.
//!
//! A moment is a number of days since the beginning of 2000-01-01 in Greenwich.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};

/// Days from the moment that is counted from to the one that the book counts from.
const NOON: f64 = 0.5;
/// Days of a century.
const CENTURY: f64 = 36_525.0;
/// The mean new moon of 2000-01-06.
const NEW_MOON: f64 = 5.597_66;
/// Days from one mean new moon to the next.
const LUNATION: f64 = 29.530_588_861;
/// Degrees that the moon gains on the sun in a day.
const GAIN: f64 = 12.190_7;
/// Degrees that the sun moves in a day.
const SUN: f64 = 0.985_647;

/// What makes up a longitude or latitude of the moon: how many times its distance from the sun, the sun's and its own
/// anomaly, its distance from the node; and millionths of a degree.
type Term = (i8, i8, i8, i8, i32);

const LONGITUDE: [Term; 27] = [
    (0, 0, 1, 0, 6_288_774),
    (2, 0, -1, 0, 1_274_027),
    (2, 0, 0, 0, 658_314),
    (0, 0, 2, 0, 213_618),
    (0, 1, 0, 0, -185_116),
    (0, 0, 0, 2, -114_332),
    (2, 0, -2, 0, 58_793),
    (2, -1, -1, 0, 57_066),
    (2, 0, 1, 0, 53_322),
    (2, -1, 0, 0, 45_758),
    (0, 1, -1, 0, -40_923),
    (1, 0, 0, 0, -34_720),
    (0, 1, 1, 0, -30_383),
    (2, 0, 0, -2, 15_327),
    (0, 0, 1, 2, -12_528),
    (0, 0, 1, -2, 10_980),
    (4, 0, -1, 0, 10_675),
    (0, 0, 3, 0, 10_034),
    (4, 0, -2, 0, 8_548),
    (2, 1, -1, 0, -7_888),
    (2, 1, 0, 0, -6_766),
    (1, 0, -1, 0, -5_163),
    (1, 1, 0, 0, 4_987),
    (2, -1, 1, 0, 4_036),
    (2, 0, 2, 0, 3_994),
    (4, 0, 0, 0, 3_861),
    (2, 0, -3, 0, 3_665),
];

const LATITUDE: [Term; 7] = [
    (0, 0, 0, 1, 5_128_122),
    (0, 0, 1, 1, 280_602),
    (0, 0, 1, -1, 277_693),
    (2, 0, 0, -1, 173_237),
    (2, 0, -1, 1, 55_413),
    (2, 0, -1, -1, 46_271),
    (2, 0, 0, 1, 32_573),
];

/// The beginning of a day in Greenwich.
pub(crate) fn moment(day: Date) -> f64 {
    f64::from((day - date(2000, 1, 1)).get_days())
}

/// The day of a moment on a clock so many hours before that of Greenwich.
pub(crate) fn day(moment: f64, hours: f64) -> Option<Date> {
    date(2000, 1, 1).checked_add(whole(moment + hours / 24.0).days()).ok()
}

/// A number without its fraction, rounded down.
#[expect(clippy::cast_possible_truncation, reason = "days and signs of some centuries; what is greater saturates")]
pub(crate) fn whole(number: f64) -> i32 {
    number.floor() as i32
}

/// The sun's longitude in degrees, not brought into one turn.
pub(crate) fn sun(moment: f64) -> f64 {
    let t = (moment - NOON) / CENTURY;
    let m = (357.529_11 + 35_999.050_29 * t).to_radians();
    let center = (1.914_602 - 0.004_817 * t) * m.sin() + 0.019_993 * (2.0 * m).sin() + 0.000_289 * (3.0 * m).sin();
    280.466_46 + 36_000.769_83 * t + center - 0.005_69
}

/// The moon's longitude and latitude in degrees, not brought into one turn.
fn moon(moment: f64) -> (f64, f64) {
    let t = (moment - NOON) / CENTURY;
    let distance = (297.850_192_1 + 445_267.111_403_4 * t).to_radians();
    let of_sun = (357.529_109_2 + 35_999.050_290_9 * t).to_radians();
    let anomaly = (134.963_396_4 + 477_198.867_505_5 * t).to_radians();
    let node = (93.272_095 + 483_202.017_523_3 * t).to_radians();
    let sum = |terms: &[Term]| -> f64 {
        let one = |&(d, s, a, n, size): &Term| {
            let angle = f64::from(d) * distance + f64::from(s) * of_sun + f64::from(a) * anomaly + f64::from(n) * node;
            f64::from(size) * angle.sin()
        };
        terms.iter().map(one).sum::<f64>() / 1e6
    };
    (218.316_447_7 + 481_267.881_234_21 * t + sum(&LONGITUDE), sum(&LATITUDE))
}

/// How many degrees the moon is ahead of the sun, 0 to 360.
pub(crate) fn lead(moment: f64) -> f64 {
    (moon(moment).0 - sun(moment)).rem_euclid(360.0)
}

/// Degrees brought between -180 and 180.
fn near_zero(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

/// The moment of a new moon, counted from the first of 2000.
pub(crate) fn new_moon(no: i32) -> f64 {
    let mut at = NEW_MOON + LUNATION * f64::from(no);
    for _ in 0..5 {
        at -= near_zero(lead(at)) / GAIN;
    }
    at
}

/// The number of the last mean new moon before a day.
pub(crate) fn new_moon_before(day: Date) -> i32 {
    whole((moment(day) - NEW_MOON) / LUNATION)
}

/// When the sun comes to a longitude in a year.
pub(crate) fn sun_at(longitude: f64, year: i16) -> Option<f64> {
    let ahead = (longitude - 280.0).rem_euclid(360.0);
    let mut at = moment(Date::new(year, 1, 1).ok()?) + ahead / SUN;
    for _ in 0..5 {
        at -= near_zero(sun(at) - longitude) / SUN;
    }
    Some(at)
}

/// Degrees from the equinox to where the signs of India begin (Lahiri's count).
pub(crate) fn precession(moment: f64) -> f64 {
    23.857 + moment / 365.25 * 50.29 / 3600.0
}

/// Longitude and latitude of Mecca.
const MECCA: (f64, f64) = (39.826_2, 21.422_5);

/// The day after the first evening in Mecca on which the moon, being new, sets after the sun: the rule of the calendar of
/// Umm al-Qura since 1423.
pub(crate) fn after_crescent(new_moon: f64) -> Option<Date> {
    const EVENING: f64 = 15.3 / 24.0;
    let first = day(new_moon, 0.0)?;
    (0..4).find_map(|n| {
        let evening = first.checked_add(n.days()).ok()?;
        let mut at = moment(evening) + EVENING;
        for _ in 0..3 {
            at += to_setting(at, sun(at), 0.0, -0.833)? / 360.98;
        }
        let later = at > new_moon && {
            let (longitude, latitude) = moon(at);
            to_setting(at, longitude, latitude, 0.125)? > 0.0
        };
        later.then(|| evening.tomorrow().ok()).flatten()
    })
}

/// Degrees that the sky still turns in Mecca until something at a longitude and latitude sets; `height` is where it does.
fn to_setting(moment: f64, longitude: f64, latitude: f64, height: f64) -> Option<f64> {
    let tilt = 23.439_3_f64.to_radians();
    let (longitude, latitude) = (longitude.to_radians(), latitude.to_radians());
    let right = (longitude.sin() * tilt.cos() - latitude.tan() * tilt.sin()).atan2(longitude.cos()).to_degrees();
    let up = (latitude.sin() * tilt.cos() + latitude.cos() * tilt.sin() * longitude.sin()).asin();
    let place = MECCA.1.to_radians();
    let arc = (height.to_radians().sin() - place.sin() * up.sin()) / (place.cos() * up.cos());
    let turned = 280.460_618_37 + 360.985_647_366_29 * (moment - NOON) + MECCA.0 - right;
    arc.abs().lt(&1.0).then(|| near_zero(arc.acos().to_degrees() - near_zero(turned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_moons_are_on_their_days() {
        for (no, day_of) in [(0, date(2000, 1, 6)), (215, date(2017, 5, 25)), (218, date(2017, 8, 21))] {
            assert_eq!(day(new_moon(no), 0.0), Some(day_of));
        }
    }

    #[test]
    fn seasons_begin_on_their_days() {
        for (longitude, day_of) in [(0.0, date(2026, 3, 20)), (90.0, date(2026, 6, 21)), (270.0, date(2026, 12, 21))] {
            assert_eq!(day(sun_at(longitude, 2026).unwrap(), 0.0), Some(day_of));
        }
    }
}
