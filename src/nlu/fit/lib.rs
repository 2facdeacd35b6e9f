//! A conditional logit: weights of features under which the right one of several choices is the likeliest, from examples.
//!
//! The weights maximise the likelihood of the right choices less a penalty for their size (L2), which has one maximum; it is
//! found by L-BFGS. Deliberately absent: what the features are.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

/// Examples to learn from.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// The features of all choices, one choice after the other.
    features: Vec<u32>,
    /// Where each choice ends in `features`.
    choice_ends: Vec<usize>,
    /// Whether each choice is right.
    right: Vec<bool>,
    /// Where each example ends among the choices, and how much it counts.
    ends: Vec<(usize, f64)>,
}

impl Examples {
    /// Adds an example: its choices, each with its features and whether it is right. One of which none or all are right
    /// teaches nothing and is left out.
    pub fn add<'a>(&mut self, choices: impl IntoIterator<Item = (&'a [u32], bool)>, counts: f64) {
        let (features, choice_ends) = (self.features.len(), self.choice_ends.len());
        for (of_choice, right) in choices {
            self.features.extend_from_slice(of_choice);
            self.choice_ends.push(self.features.len());
            self.right.push(right);
        }
        let added = self.right.get(choice_ends..).unwrap_or_default();
        if added.contains(&true) && added.contains(&false) {
            self.ends.push((self.choice_ends.len(), counts));
        } else {
            self.features.truncate(features);
            self.choice_ends.truncate(choice_ends);
            self.right.truncate(choice_ends);
        }
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// In how many choices each feature is, up to `count` features.
    pub fn seen(&self, count: usize) -> Vec<u32> {
        let mut seen = vec![0; count];
        for feature in &self.features {
            if let Some(seen) = seen.get_mut(*feature as usize) {
                *seen += 1;
            }
        }
        seen
    }

    /// The weights of `count` features. `l2` is the penalty; features that are in fewer than `least` choices weigh nothing.
    pub fn fit(&self, count: usize, l2: f64, least: u32, rounds: usize) -> Vec<f64> {
        let usable: Vec<bool> = self.seen(count).into_iter().map(|seen| seen >= least).collect();
        minimum(count, rounds, |weights, slope| self.loss(weights, &usable, l2, slope))
    }

    /// The loss at some weights, and its slope.
    fn loss(&self, weights: &[f64], usable: &[bool], l2: f64, slope: &mut [f64]) -> f64 {
        slope.iter_mut().zip(weights).for_each(|(slope, weight)| *slope = l2 * weight);
        let mut loss = 0.5 * l2 * weights.iter().map(|weight| weight * weight).sum::<f64>();
        let mut scores: Vec<f64> = Vec::new();
        let mut from = 0;
        for (end, counts) in &self.ends {
            let choices = from..*end;
            scores.clear();
            scores.extend(
                choices.clone().map(|no| self.of_choice(no).iter().map(|no| weights[*no as usize]).sum::<f64>()),
            );
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let (mut all, mut right) = (0.0, 0.0);
            for (score, no) in scores.iter_mut().zip(choices.clone()) {
                *score = (*score - most).exp();
                all += *score;
                right += if self.right[no] { *score } else { 0.0 };
            }
            let right = right.max(1e-30);
            loss -= counts * (right / all).ln();
            for (score, no) in scores.iter().zip(choices) {
                let pull = counts * (score / all - if self.right[no] { score / right } else { 0.0 });
                if pull.abs() < 1e-9 {
                    continue;
                }
                for feature in self.of_choice(no) {
                    slope[*feature as usize] += pull;
                }
            }
            from = *end;
        }
        // What is not used has no slope, and stays at nothing.
        slope.iter_mut().zip(usable).for_each(|(slope, usable)| *slope = if *usable { *slope } else { 0.0 });
        loss
    }

    fn of_choice(&self, no: usize) -> &[u32] {
        let from = no.checked_sub(1).map_or(0, |before| self.choice_ends[before]);
        &self.features[from..self.choice_ends[no]]
    }
}

/// Where a smooth function with one minimum is least, from zero on: L-BFGS with a line search that halves its steps.
fn minimum(count: usize, rounds: usize, mut function: impl FnMut(&[f64], &mut [f64]) -> f64) -> Vec<f64> {
    const MEMORY: usize = 12;
    let mut at = vec![0.0; count];
    let mut slope = vec![0.0; count];
    let mut value = function(&at, &mut slope);
    let mut memory: std::collections::VecDeque<(Vec<f64>, Vec<f64>, f64)> = std::collections::VecDeque::new();
    for _ in 0..rounds {
        let mut way = slope.clone();
        let mut shares = Vec::with_capacity(memory.len());
        for (step, change, curve) in memory.iter().rev() {
            let share = dot(step, &way) / curve;
            add(&mut way, change, -share);
            shares.push(share);
        }
        if let Some((_, change, curve)) = memory.back() {
            let scale = curve / dot(change, change);
            way.iter_mut().for_each(|way| *way *= scale);
        } else {
            let scale = 1.0 / dot(&way, &way).sqrt().max(1.0);
            way.iter_mut().for_each(|way| *way *= scale);
        }
        for ((step, change, curve), share) in memory.iter().zip(shares.into_iter().rev()) {
            let turn = dot(change, &way) / curve;
            add(&mut way, step, share - turn);
        }
        let descent = dot(&way, &slope);
        if descent <= 0.0 {
            break;
        }
        let mut length = 1.0;
        let mut next = vec![0.0; count];
        let mut next_slope = vec![0.0; count];
        let next_value = loop {
            next.copy_from_slice(&at);
            add(&mut next, &way, -length);
            let next_value = function(&next, &mut next_slope);
            if next_value <= value - 1e-4 * length * descent {
                break Some(next_value);
            }
            length /= 2.0;
            if length < 1e-6 {
                break None;
            }
        };
        let Some(next_value) = next_value else { break };
        let step: Vec<f64> = next.iter().zip(&at).map(|(next, at)| next - at).collect();
        let change: Vec<f64> = next_slope.iter().zip(&slope).map(|(next, slope)| next - slope).collect();
        let curve = dot(&step, &change);
        if curve > 1e-12 {
            memory.push_back((step, change, curve));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        let gained = value - next_value;
        (at, slope, value) = (next, next_slope, next_value);
        if gained < 1e-6 * value.abs() {
            break;
        }
    }
    at
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| one * two).sum()
}

fn add(to: &mut [f64], what: &[f64], times: f64) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += times * what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_the_right_choices_have_weighs_more() {
        let mut examples = Examples::default();
        for no in 0..20_u32 {
            // Feature 0 is that of the right choice, 1 that of every choice, 2 of the wrong one in half of the examples.
            let wrong: &[u32] = if no % 2 == 0 { &[1, 2] } else { &[1] };
            examples.add([(&[0, 1][..], true), (wrong, false)], 1.0);
        }
        let weights = examples.fit(3, 0.1, 1, 100);
        assert!(weights[0] > 1.0 && weights[2] < -0.5, "{weights:?}");
        assert!(weights[1].abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn what_teaches_nothing_is_left_out() {
        let mut examples = Examples::default();
        examples.add([(&[0][..], false), (&[1][..], false)], 1.0);
        examples.add([(&[0][..], true)], 1.0);
        assert!(examples.is_empty());
        assert_eq!(examples.seen(2), [0, 0]);
    }

    #[test]
    fn a_feature_seen_too_seldom_weighs_nothing() {
        let mut examples = Examples::default();
        examples.add([(&[0][..], true), (&[1][..], false)], 1.0);
        assert_eq!(examples.fit(2, 0.1, 2, 50), [0.0, 0.0]);
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let mut examples = Examples::default();
        examples.add([(&[0, 1][..], true), (&[1, 2][..], false), (&[0][..], true)], 2.0);
        let at = [0.3, -0.2, 0.5];
        let usable = [true; 3];
        let mut slope = [0.0; 3];
        let value = examples.loss(&at, &usable, 0.5, &mut slope);
        for no in 0..3 {
            let mut near = at;
            near[no] += 1e-6;
            let rise = (examples.loss(&near, &usable, 0.5, &mut [0.0; 3]) - value) / 1e-6;
            assert!((rise - slope[no]).abs() < 1e-4, "{rise} {}", slope[no]);
        }
    }
}
