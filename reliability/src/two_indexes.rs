//! Two whole indexes in one data directory, either of which `CURRENT` can name.

use std::fs;
use std::path::Path;

use outfall_query::Generation;

use crate::corpus::Corpus;
use crate::data::Data;
use crate::{Lab, LabError};

/// Two indexes with different records; the second was published last.
#[derive(Debug)]
pub(crate) struct TwoIndexes {
    pub(crate) data: Data,
    pub(crate) first: Published,
    pub(crate) second: Published,
}

/// A published index, and its names.
#[derive(Debug)]
pub(crate) struct Published {
    /// The name of its folder.
    pub(crate) generation: String,
    /// The content of `CURRENT` when it is served.
    pub(crate) current: Vec<u8>,
    pub(crate) build_id: String,
}

impl TwoIndexes {
    pub(crate) fn published(lab: &Lab, folder: &Path) -> Result<Self, LabError> {
        let publish = |seed| {
            let data = Data::new(lab, folder, &Corpus::write(folder, 60, seed)?);
            let generation = data.rebuild().map_err(LabError::Setup)?;
            let current = fs::read(data.dir().join("CURRENT"));
            let current = current.map_err(LabError::io("read `CURRENT`"))?;
            let opened = Generation::open(data.dir());
            let opened = opened.map_err(|error| LabError::Setup(error.to_string()))?;
            let build_id = opened.dataset.build_id;
            Ok((data, Published { generation, current, build_id }))
        };
        let (_, first) = publish(1)?;
        let (data, second) = publish(2)?;
        Ok(Self { data, first, second })
    }
}
