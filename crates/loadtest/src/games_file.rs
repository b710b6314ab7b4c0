//! Games of the user's own. What the moves lead to is asked of the service, since nothing here knows any rules.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use clap::ValueEnum;
use http::{HeaderValue, Request, Version, header};
use prost::Message as _;
use proto::v1::{Game as Question, ReplayGameRequest, ReplayGameResponse, Variant};
use tokio::time::timeout;
use tonic::{Code, Status};

use crate::connection::Connection;
use crate::corpus::Game;
use crate::exit::Failure;
use crate::frame::{self, Reader};
use crate::limits::{MAX_GAMES, MAX_GAMES_BYTES, MAX_HISTORY};
use crate::method::Method;
use crate::values::read_file;

/// How long the service may take to replay one game.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Played {
    /// Chess.
    Chess,
    /// Xiangqi.
    Xiangqi,
}

impl Played {
    /// As the service calls it.
    pub(crate) fn variant(self) -> Variant {
        match self {
            Self::Chess => Variant::Chess,
            Self::Xiangqi => Variant::Xiangqi,
        }
    }
}

/// Reads games, and asks the service to replay them.
///
/// # Errors
/// The file cannot be read, or a game cannot be replayed.
pub(crate) async fn load(
    path: &Path,
    played: Played,
    connections: &[Arc<Connection>],
    token: Option<&HeaderValue>,
) -> Result<Vec<Game>, Failure> {
    let bytes = read_file(path, MAX_GAMES_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| format!("{}: no UTF-8: {error}", path.display()))?;
    let requests = requests(&text, played);
    if requests.is_empty() || requests.len() > MAX_GAMES {
        return Err(format!("{}: {} games; expected 1 to {MAX_GAMES}", path.display(), requests.len()));
    }
    let connection = connections.first().ok_or("no connection")?;
    let mut games = Vec::with_capacity(requests.len());
    for (number, request) in requests.iter().enumerate() {
        let replayed = timeout(PATIENCE, replay(connection, token, request)).await;
        let game =
            replayed.unwrap_or_else(|_| Err("no answer".to_owned())).and_then(|answer| game(request, answer));
        // People count from 1.
        games.push(game.map_err(|wrong| format!("{}: game {}: {wrong}", path.display(), number + 1))?);
    }
    Ok(games)
}

/// The games of a text, each as a question.
fn requests(text: &str, played: Played) -> Vec<ReplayGameRequest> {
    let plies = u32::try_from(MAX_HISTORY).unwrap_or(u32::MAX);
    // Tags stand on lines of their own; a line of moves begins with a move or a result.
    if text.lines().any(|line| line.starts_with('[')) {
        let ask = |pgn| ReplayGameRequest { pgn, max_plies: plies, ..ReplayGameRequest::default() };
        return pgn_games(text).into_iter().map(ask).collect();
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_result = |word: &str| matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2");
    let ask = |line: &str| {
        let moves = line.split_whitespace().filter(|word| !is_result(word)).map(str::to_owned).collect();
        let game = Question { variant: played.variant().into(), moves, ..Question::default() };
        ReplayGameRequest { game: Some(game), max_plies: plies, ..ReplayGameRequest::default() }
    };
    lines.map(ask).collect()
}

/// The games of a PGN file: tags after something else begin a new one.
fn pgn_games(text: &str) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    let mut is_among_tags = false;
    for line in text.lines() {
        let is_tag = line.starts_with('[');
        if games.is_empty() || is_tag && !is_among_tags {
            games.push(String::new());
        }
        if !line.trim().is_empty() {
            is_among_tags = is_tag;
        }
        if let Some(game) = games.last_mut() {
            game.push_str(line);
            game.push('\n');
        }
    }
    games.retain(|game| !game.trim().is_empty());
    games
}

/// What is known of a game that was replayed. What was played after the game was over is left out: no such
/// move is legal.
fn game(request: &ReplayGameRequest, answer: ReplayGameResponse) -> Result<Game, Failure> {
    if let Some(ply) = answer.first_illegal_ply {
        let message = answer.illegal.unwrap_or_default().message;
        return Err(format!("ply {ply} (counted from 0) is not legal: {message}"));
    }
    let moves: Vec<_> = answer.plies.iter().map(|ply| ply.r#move.clone().unwrap_or_default()).collect();
    let tag = |name: &str| answer.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.clone());
    let variant = match &request.game {
        Some(game) => game.variant(),
        // Notations of the other game are empty.
        None if moves.first().is_some_and(|it| it.san.is_empty()) => Variant::Xiangqi,
        None if tag("Variant").is_some_and(|name| name.to_lowercase().contains("960")) => Variant::Chess960,
        None => Variant::Chess,
    };
    let start = match (tag("FEN"), variant) {
        (Some(fen), _) => fen,
        (None, Variant::Xiangqi) => XIANGQI_START.to_owned(),
        (None, _) => CHESS_START.to_owned(),
    };
    let end = answer.ended_at_ply.map_or(moves.len(), |ply| moves.len().min(ply as usize + 1));
    let fens = std::iter::once(start).chain(answer.plies.into_iter().map(|ply| ply.fen)).take(end + 1);
    Ok(Game {
        variant,
        moves: moves.into_iter().map(|it| it.uci).take(end).collect(),
        fens: fens.collect(),
        legal_move_counts: None,
        listed: std::collections::BTreeMap::new(),
    })
}

const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const XIANGQI_START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

async fn replay(
    connection: &Arc<Connection>,
    token: Option<&HeaderValue>,
    question: &ReplayGameRequest,
) -> Result<ReplayGameResponse, Failure> {
    let answer = exchange(connection, token, Method::ReplayGame, {
        let mut body = BytesMut::new();
        frame::write(question, &mut body);
        body.freeze()
    });
    let messages = answer.await?;
    let message = messages.into_iter().next().ok_or("no answer")?;
    ReplayGameResponse::decode(message).map_err(|error| error.to_string())
}

/// Sends a body and returns the messages of the answer.
///
/// # Errors
/// The service does not answer.
pub(crate) async fn exchange(
    connection: &Arc<Connection>,
    token: Option<&HeaderValue>,
    method: Method,
    body: Bytes,
) -> Result<Vec<Bytes>, Failure> {
    let mut request = Request::new(());
    *request.method_mut() = http::Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = connection.place().uri(method);
    request.headers_mut().insert(header::TE, HeaderValue::from_static("trailers"));
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    if let Some(token) = token {
        request.headers_mut().insert(header::AUTHORIZATION, token.clone());
    }
    let broken = |error: h2::Error| error.to_string();
    let (_, mut sender) = connection.link().await?;
    let (response, mut out) = sender.send_request(request, false).map_err(broken)?;
    out.send_data(body, true).map_err(broken)?;
    let (head, mut body) = response.await.map_err(broken)?.into_parts();
    let (mut reader, mut messages) = (Reader::default(), Vec::new());
    while let Some(piece) = body.data().await {
        let piece = piece.map_err(broken)?;
        body.flow_control().release_capacity(piece.len()).map_err(broken)?;
        reader.push(piece);
        while let Some(message) = reader.next()? {
            messages.push(message);
        }
    }
    let trailers = body.trailers().await.map_err(broken)?.unwrap_or(head.headers);
    match Status::from_header_map(&trailers) {
        Some(status) if status.code() == Code::Ok => Ok(messages),
        Some(status) => Err(format!("{:?}: {}", status.code(), status.message())),
        None => Err(format!("HTTP {}", head.status.as_u16())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgn_is_cut_into_games() {
        let text = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5\n2. Nf3 *\n\n[Event \"c\"]\n\n1. d4 *\n";
        let games = pgn_games(text);
        assert_eq!(games.len(), 2);
        assert!(games[0].contains("Nf3") && games[1].starts_with("[Event \"c\"]"));
    }

    #[test]
    fn lines_have_moves_and_perhaps_a_result() {
        let requests = requests("# games\n* h2e2 h9g7\n\n1-0 h2e2\n", Played::Xiangqi);
        let moves: Vec<_> = requests.into_iter().map(|it| it.game.unwrap().moves.len()).collect();
        assert_eq!(moves, [2, 1]);
    }
}
