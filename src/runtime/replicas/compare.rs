//! Replicas that serve different forms: a person who asks one of them may be answered by another. The operator is told.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::Runtime;
use formwright_store::StoreError;
use formwright_store::replicas::Replicas;

/// How often they are compared.
const COMPARE: Duration = Duration::from_secs(10);
/// How many looks in a row must find a difference: while forms are being changed there is one.
const LASTING: u32 = 4;

impl Runtime {
    /// Compares the forms of this replica with those of the others. Never ends.
    pub(crate) async fn compare_regularly(&self, replicas: &dyn Replicas) {
        let mut looks = 0;
        loop {
            match self.differing(replicas).await {
                Ok(forms) if forms.is_empty() => {
                    looks = 0;
                    self.metrics.forms_differ(false);
                }
                Ok(forms) => {
                    looks += 1;
                    if looks == LASTING {
                        self.metrics.forms_differ(true);
                        let forms = forms.into_iter().collect::<Vec<_>>().join(", ");
                        tracing::warn!(
                            %forms,
                            "replicas at this Redis serve different forms, or versions of them: give all replicas of a \
                             bot the same forms, and bots that share a Redis another redis.prefix each"
                        );
                    }
                }
                Err(error) => {
                    tracing::debug!(
                        error = %formwright_chat::chain(&error),
                        "the forms of replicas could not be compared"
                    );
                }
            }
            tokio::time::sleep(COMPARE).await;
        }
    }

    /// Forms that not all replicas serve in the same version.
    async fn differing(&self, replicas: &dyn Replicas) -> Result<BTreeSet<String>, StoreError> {
        let catalog = self.catalog();
        let own: BTreeSet<String> = catalog.forms().map(|form| format!("{}@{}", form.id, form.version)).collect();
        let others = replicas.compare(&own.iter().map(String::as_str).collect::<Vec<_>>().join(" ")).await?;
        Ok(others.iter().flat_map(|other| differing(&own, other)).collect())
    }
}

/// The ids of forms that one serves and the other does not.
fn differing(own: &BTreeSet<String>, other: &str) -> BTreeSet<String> {
    let other: BTreeSet<String> = other.split_whitespace().map(str::to_owned).collect();
    let id = |form: &String| form.split('@').next().unwrap_or_default().to_owned();
    own.symmetric_difference(&other).map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_are_missing_or_of_another_version_differ() {
        let own = ["pizza@1", "lunch@7"].map(str::to_owned).into();
        for (other, differ) in
            [("lunch@7 pizza@1", ""), ("lunch@7", "pizza"), ("lunch@8 pizza@1", "lunch"), ("", "lunch pizza")]
        {
            let found: Vec<String> = differing(&own, other).into_iter().collect();
            assert_eq!(found.join(" "), differ, "{other}");
        }
    }
}
