//! A JSON object whose values are not read until they are asked for, and not written anew.

use crate::format::json::quoted;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order, doubled keys included.
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Each)
    }
}

impl<'a> Members<'a> {
    pub(crate) fn of(json: &'a str) -> Option<Members<'a>> {
        json.trim_start().starts_with('{').then(|| serde_json::from_str(json).ok()).flatten()
    }

    /// The value of a key that stands there once.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        let mut found = self.0.iter().filter(|(k, _)| k == key);
        found.next().filter(|_| found.next().is_none()).map(|(_, v)| v.get())
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// Is the key there with anything but a plain no? Who writes `"true"`, or says it twice,
    /// means something by it.
    pub(crate) fn says(&self, key: &str) -> bool {
        let is_no = |value: &str| matches!(value.trim(), "false" | "null" | "0" | "\"false\"" | "\"\"");
        self.has(key) && !self.get(key).is_some_and(is_no)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(k, _)| k == key)
    }

    /// The value of a key, if it is an object.
    pub(crate) fn object(&self, key: &str) -> Option<Members<'a>> {
        Members::of(self.get(key)?)
    }

    /// The value of a key, if it is a whole number.
    pub(crate) fn number(&self, key: &str) -> Option<i32> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// The object with other values (in JSON) for some of its keys; all else as it was.
    pub(crate) fn with(&self, others: &[(&str, String)]) -> String {
        let members: Vec<String> = self
            .0
            .iter()
            .map(|(key, value)| {
                let other = others.iter().find(|o| o.0 == key).map_or(value.get(), |o| &o.1);
                format!("{}:{other}", quoted(key))
            })
            .collect();
        format!("{{{}}}", members.join(","))
    }
}
