//! Is this move legal, why not, and what does it lead to?

use analysis::MoveNotation;
use analysis::replay::Game;
use analysis::validate_move::{LegalMove, MoveVerdict, View, check_limits, validate_move};
use proto::v1;
use tonic::{Response, Status};

use crate::convert::answer::{illegal_to_proto, move_to_proto, state_to_proto};
use crate::convert::question::{game_from_proto, notation_from_proto, view_from_proto};
use crate::refusal::Refusal;
use crate::telemetry::traces::{parse, part};
use crate::workers::{Load, Workers};

pub(super) async fn answer(
    workers: &Workers,
    request: v1::ValidateMoveRequest,
) -> Result<Response<v1::ValidateMoveResponse>, Status> {
    let question = parse(|| Question::from_proto(request))?;
    let answer = workers.run(question.load(), part("rules", move || question.ask())).await?;
    Ok(Response::new(answer))
}

/// A question about one move.
pub(super) struct Question {
    game: Game,
    text: String,
    notation: MoveNotation,
    view: View,
}

impl Question {
    /// Decodes a question and measures it.
    pub(super) fn from_proto(request: v1::ValidateMoveRequest) -> Result<Self, Refusal> {
        let question = Self {
            game: game_from_proto(request.game)?,
            text: request.r#move,
            notation: notation_from_proto("notation", request.notation)?,
            view: view_from_proto(request.view)?,
        };
        check_limits(&question.game, &question.text)?;
        Ok(question)
    }

    pub(super) fn load(&self) -> Load {
        Load::of_game(&self.game)
    }

    pub(super) fn ask(&self) -> Result<v1::ValidateMoveResponse, Refusal> {
        Ok(to_proto(validate_move(&self.game, &self.text, self.notation, self.view)?))
    }
}

fn to_proto(verdict: MoveVerdict) -> v1::ValidateMoveResponse {
    let MoveVerdict { verdict, fen, state } = verdict;
    let (legal, m, illegal) = match verdict {
        Ok(LegalMove::Full(report)) => (true, Some(move_to_proto(&report)), None),
        Ok(LegalMove::Basic(uci)) => {
            (true, Some(v1::Move { uci: uci.as_str().to_owned(), ..v1::Move::default() }), None)
        }
        Err(illegal) => (false, None, Some(illegal_to_proto(illegal))),
    };
    v1::ValidateMoveResponse { legal, r#move: m, illegal, fen, state: state.map(state_to_proto) }
}
