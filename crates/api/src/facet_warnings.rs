//! The warnings that keep facets from misleading.

use outfall_request::FacetTables;

use crate::Bilingual;

/// `facet-limited`: some facets are not listed whole. `None` if all are.
pub(crate) fn limited(facets: &FacetTables) -> Option<Bilingual> {
    let limited = facets.infos().filter(|(_, info)| info.left_out > 0);
    let names: Vec<String> = limited.map(|(name, _)| name).collect();
    let names = names.join(", ");
    (!names.is_empty()).then(|| {
        Bilingual::new(
            format!(
                "Not all values are listed of {names}; facet_info counts what is left out, and \
                 facet_limit lists more."
            ),
            format!(
                "Toutes les valeurs ne figurent pas pour {names}; facet_info compte ce qui est omis, \
                 et facet_limit en donne davantage."
            ),
        )
    })
}

/// `mixed-substances`: the sums are over several substances. Also returns how many; `None` if there
/// is no more than one.
pub(crate) fn mixed_substances(substances: Option<u64>) -> Option<(u64, Bilingual)> {
    let substances = substances.filter(|substances| *substances > 1)?;
    let detail = Bilingual::new(
        format!(
            "Sums add up {substances} substances, whose masses are not one quantity, and some \
             contain others, as PM contains PM10 and PM2.5; ask for one substance, or for \
             facets=substance."
        ),
        format!(
            "Les sommes réunissent {substances} substances, dont les masses ne sont pas une même \
             grandeur, et certaines en contiennent d’autres, comme PM contient PM10 et PM2,5; \
             demandez une seule substance, ou facets=substance."
        ),
    );
    Some((substances, detail))
}
