//! What is this server, what does it know, and what are its limits?

use analysis::catalogue::{VariantInfo, catalogue};
use analysis::limits::{
    MAX_FEN_BYTES, MAX_HASH_MIB, MAX_MATERIAL_BYTES, MAX_MOVE_BYTES, MAX_MOVE_LIMITS, MAX_MOVES,
    MAX_PGN_BYTES, MAX_PLIES_RETURNED, MAX_SEARCH_MOVES, MAX_SQUARES,
};
use proto::v1;

use crate::config::Served;
use crate::convert::answer::{notation_to_proto, rule_set_to_proto, variant_to_proto};
use crate::convert::count_to_proto;
use crate::convert::search::{duration_to_proto, engine_to_proto};
use crate::limits::MAX_REQUEST_BYTES;
use crate::searches::Searches;

pub(super) fn answer(served: Served, searches: &Searches) -> v1::GetServerInfoResponse {
    v1::GetServerInfoResponse {
        name: "arbiter".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        api: "arbiter.v1".to_owned(),
        variants: catalogue().into_iter().map(variant_info_to_proto).collect(),
        limits: Some(limits(searches)),
        engine: Some(engine_to_proto()),
        methods: served.methods().map(str::to_owned).collect(),
    }
}

fn variant_info_to_proto(info: VariantInfo) -> v1::VariantInfo {
    v1::VariantInfo {
        variant: variant_to_proto(info.variant).into(),
        start_fen: info.start_fen.unwrap_or_default(),
        rule_sets: info.rule_sets.into_iter().map(|rule_set| rule_set_to_proto(rule_set).into()).collect(),
        notations: info.notations.iter().map(|&notation| notation_to_proto(notation).into()).collect(),
    }
}

fn limits(searches: &Searches) -> v1::ServerLimits {
    v1::ServerLimits {
        max_request_bytes: count_to_proto(MAX_REQUEST_BYTES),
        max_fen_bytes: count_to_proto(MAX_FEN_BYTES),
        max_move_bytes: count_to_proto(MAX_MOVE_BYTES),
        max_moves: count_to_proto(MAX_MOVES),
        max_pgn_bytes: count_to_proto(MAX_PGN_BYTES),
        max_squares: count_to_proto(MAX_SQUARES),
        max_plies_returned: count_to_proto(MAX_PLIES_RETURNED),
        max_move_limits: count_to_proto(MAX_MOVE_LIMITS),
        max_material_bytes: count_to_proto(MAX_MATERIAL_BYTES),
        max_search_moves: count_to_proto(MAX_SEARCH_MOVES),
        max_hash_mib: count_to_proto(MAX_HASH_MIB),
        max_search_time: duration_to_proto(searches.longest()),
        search_slots: count_to_proto(searches.slots()),
    }
}
