use std::error::Error as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rstest::rstest;

use super::*;

/// Answers each question for a name with the next list of addresses, the last one over and over.
struct Fickle(Mutex<Vec<Vec<IpAddr>>>, AtomicUsize);

impl Fickle {
    fn new(lists: &[&[&str]]) -> Arc<Self> {
        let list = |list: &&[&str]| list.iter().map(|address| address.parse().unwrap()).collect();
        Arc::new(Self(Mutex::new(lists.iter().map(list).collect()), AtomicUsize::new(0)))
    }
}

#[async_trait]
impl Lookup for Fickle {
    async fn addresses(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let mut lists = self.0.lock().unwrap();
        Ok(if lists.len() > 1 { lists.remove(0) } else { lists[0].clone() })
    }
}

/// Counts who connects to a port of this machine.
async fn canary() -> (u16, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, hits) = (listener.local_addr().unwrap().port(), Arc::<AtomicUsize>::default());
    let counted = Arc::clone(&hits);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    (port, hits)
}

fn guarded(local: &[&str], lookup: Arc<dyn Lookup>) -> Guarded {
    Guarded::new(local.iter().map(|spot| spot.parse().unwrap()).collect(), lookup).unwrap()
}

#[rstest]
#[case("https://kitchen.example/orders", Ok(()))]
#[case("https://kitchen.example.:8443/orders", Ok(()))]
#[case("https://8.8.8.8/", Ok(()))]
#[case("https://[2606:4700:4700::1111]/", Ok(()))]
#[case("http://kitchen.example/", Err(Closed::Plain("kitchen.example:80".to_owned())))]
#[case("http://8.8.8.8/", Err(Closed::Plain("8.8.8.8:80".to_owned())))]
#[case("https://a:b@kitchen.example/", Err(Closed::HasUser))]
#[case("https://a@kitchen.example/", Err(Closed::HasUser))]
#[case("ftp://kitchen.example/", Err(Closed::NoAddress))]
#[case("file:///etc/passwd", Err(Closed::NoAddress))]
#[case("data:text/plain,x", Err(Closed::NoAddress))]
#[case("https://127.0.0.1/", Err(Closed::NotPublic("127.0.0.1:443".to_owned())))]
#[case("https://127.0.0.1./", Err(Closed::NotPublic("127.0.0.1:443".to_owned())))]
#[case("https://0x7f.1/", Err(Closed::NotPublic("127.0.0.1:443".to_owned())))]
#[case("https://2130706433/", Err(Closed::NotPublic("127.0.0.1:443".to_owned())))]
#[case("https://0177.0.0.1:8/", Err(Closed::NotPublic("127.0.0.1:8".to_owned())))]
#[case("https://１２７.0.0.1/", Err(Closed::NotPublic("127.0.0.1:443".to_owned())))]
#[case("https://[::1]/", Err(Closed::NotPublic("[::1]:443".to_owned())))]
#[case("https://[::ffff:7f00:1]/", Err(Closed::NotPublic("[::ffff:7f00:1]:443".to_owned())))]
#[case("https://10.0.0.1/", Err(Closed::NotPublic("10.0.0.1:443".to_owned())))]
fn what_an_address_tells_is_looked_at_before_anything_is_sent(#[case] url: &str, #[case] expected: Result<(), Closed>) {
    assert_eq!(guarded(&[], Arc::new(Dns)).admits(&url.parse().unwrap()), expected, "{url}");
}

#[rstest]
#[case("http://127.0.0.1:9000/x", true)]
#[case("https://127.0.0.1:9000/x", true)]
#[case("http://0x7f.1:9000/x", true)]
#[case("http://127.0.0.1:9001/x", false)]
#[case("http://127.0.0.2:9000/x", false)]
#[case("http://localhost:9000/x", false)]
#[case("http://kitchen.internal/x", true)]
#[case("http://KITCHEN.internal.:80/x", true)]
#[case("http://kitchen.internal:81/x", false)]
#[case("http://[::1]:7/x", true)]
fn what_the_operator_names_is_reached_at_that_port_and_no_other(#[case] url: &str, #[case] open: bool) {
    let guarded = guarded(&["127.0.0.1:9000", "kitchen.internal:80", "[0:0::1]:7"], Arc::new(Dns));
    assert_eq!(guarded.admits(&url.parse().unwrap()).is_ok(), open, "{url}");
}

#[rstest]
#[case("127.0.0.1:9000", Some("127.0.0.1:9000"))]
#[case(" Kitchen.Internal.:80 ", Some("kitchen.internal:80"))]
#[case("[::1]:7", Some("[::1]:7"))]
#[case("127.0.0.1", None)]
#[case("127.0.0.1:0", None)]
#[case("127.0.0.1:99999", None)]
#[case("::1:7", None)]
#[case("http://127.0.0.1:7", None)]
#[case("a@127.0.0.1:7", None)]
#[case("127.0.0.1:7/", None)]
#[case("127.0.0.1/x:7", None)]
#[case("", None)]
fn a_spot_is_a_host_with_its_port(#[case] text: &str, #[case] expected: Option<&str>) {
    assert_eq!(text.parse::<Spot>().ok().map(|spot| spot.to_string()).as_deref(), expected);
}

#[rstest]
#[case::this_machine(&[&["127.0.0.1"][..]])]
#[case::one_of_several(&[&["93.184.216.34", "127.0.0.1"][..]])]
#[case::mapped(&[&["::ffff:127.0.0.1"][..]])]
#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_not_followed(#[case] lists: &[&[&str]]) {
    let (port, hits) = canary().await;
    let lookup = Fickle::new(lists);
    let guarded = guarded(&["kitchen.example:1"], Arc::clone(&lookup) as _);
    let url = format!("https://kitchen.example:{port}/").parse().unwrap();
    let error = guarded.request(reqwest::Method::GET, url).unwrap().send().await.unwrap_err();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    assert_eq!(innermost.to_string(), Closed::NotPublic("kitchen.example".to_owned()).to_string());
    assert!(error.source().is_some());
    assert_eq!((hits.load(Ordering::Relaxed), lookup.1.load(Ordering::Relaxed)), (0, 1));
}

#[tokio::test]
async fn what_was_looked_at_is_what_is_connected_to() {
    let lookup = Fickle::new(&[&["93.184.216.34"], &["127.0.0.1"]]);
    let resolver = Resolver { lookup: Arc::clone(&lookup) as _, admits: address::is_public };
    let first = resolver.resolve("kitchen.example".parse().unwrap()).await.ok().unwrap();
    assert_eq!(first.collect::<Vec<_>>(), ["93.184.216.34:0".parse().unwrap()]);
    assert!(resolver.resolve("kitchen.example".parse().unwrap()).await.is_err());
    assert_eq!(lookup.1.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_name_of_the_operators_may_lead_anywhere() {
    let (port, hits) = canary().await;
    let guarded = guarded(&[&format!("kitchen.internal:{port}")], Fickle::new(&[&["127.0.0.1"]]));
    let url = format!("http://kitchen.internal:{port}/").parse().unwrap();
    // The canary hangs up.
    assert!(guarded.request(reqwest::Method::GET, url).unwrap().send().await.is_err());
    assert!(hits.load(Ordering::Relaxed) >= 1);
}
