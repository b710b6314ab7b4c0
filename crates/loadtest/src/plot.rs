//! Plots as SVG text.

use std::fmt::Display;

use plotters::prelude::*;

use crate::exit::Failure;

/// The size of a plot, in pixels.
const SIZE: (u32, u32) = (860, 320);

/// Colours that people who do not see all of them can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(60, 60, 60),
];

/// A line with its name.
pub(crate) struct Series {
    /// The name.
    pub(crate) name: String,
    /// The points, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// What is written beside an axis.
pub(crate) struct Axis<'a> {
    /// What it shows.
    pub(crate) name: &'a str,
    /// How a value on it is written.
    pub(crate) write: &'a dyn Fn(&f64) -> String,
}

/// Lines over a linear scale that begins at 0.
///
/// # Errors
/// The plot cannot be drawn.
pub(crate) fn linear(series: &[Series], x: &Axis<'_>, y: &Axis<'_>) -> Result<String, Failure> {
    let (right, top) = (highest(series, |point| point.0), highest(series, |point| point.1));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = builder(&area).build_cartesian_2d(0.0..right, 0.0..top * 1.05).map_err(failure)?;
        configure!(chart, x, y)?;
        draw!(chart, series)?;
        area.present().map_err(failure)?;
    }
    Ok(svg)
}

/// Lines over a logarithmic scale.
///
/// # Errors
/// The plot cannot be drawn.
pub(crate) fn logarithmic(series: &[Series], x: &Axis<'_>, y: &Axis<'_>) -> Result<String, Failure> {
    let (right, top) = (highest(series, |point| point.0), highest(series, |point| point.1));
    let low = series.iter().flat_map(|it| &it.points).map(|point| point.1).filter(|y| *y > 0.0);
    let bottom = low.fold(top, f64::min);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let scale = (bottom / 1.5..top * 1.5).log_scale();
        let mut chart = builder(&area).build_cartesian_2d(0.0..right, scale).map_err(failure)?;
        configure!(chart, x, y)?;
        draw!(chart, series)?;
        area.present().map_err(failure)?;
    }
    Ok(svg)
}

/// Axes and grid. The two scales are two types to plotters, hence no function.
macro_rules! configure {
    ($chart:ident, $x:ident, $y:ident) => {
        $chart
            .configure_mesh()
            .x_desc($x.name)
            .y_desc($y.name)
            .x_label_formatter($x.write)
            .y_label_formatter($y.write)
            .light_line_style(RGBColor(240, 240, 240))
            .bold_line_style(RGBColor(222, 222, 222))
            .axis_style(RGBColor(120, 120, 120))
            .draw()
            .map_err(failure)
    };
}

/// The lines, and their names.
macro_rules! draw {
    ($chart:ident, $series:ident) => {{
        for (it, colour) in $series.iter().zip(COLOURS.iter().cycle()) {
            let style = colour.stroke_width(2);
            let line = LineSeries::new(it.points.iter().copied(), style);
            let sample = move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], style);
            $chart.draw_series(line).map_err(failure)?.label(it.name.as_str()).legend(sample);
        }
        $chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()
            .map_err(failure)
    }};
}

use {configure, draw};

fn builder<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(10).x_label_area_size(40).y_label_area_size(64);
    builder
}

/// The largest value, or 1 where there is none: a scale has to end somewhere.
fn highest(series: &[Series], of: impl Fn(&(f64, f64)) -> f64) -> f64 {
    let largest = series.iter().flat_map(|it| &it.points).map(of).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn failure(error: impl Display) -> Failure {
    format!("the plot cannot be drawn: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_with_their_names_on_both_scales() {
        let write = |value: &f64| format!("{value}");
        let axis = Axis { name: "time", write: &write };
        let series = [Series { name: "a < b".into(), points: vec![(0.0, 1.0), (1.0, 100.0)] }];
        for svg in [linear(&series, &axis, &axis).unwrap(), logarithmic(&series, &axis, &axis).unwrap()] {
            assert!(svg.starts_with("<svg") && svg.contains("polyline") && svg.contains("a &lt; b"), "{svg}");
        }
    }

    #[test]
    fn nothing_can_be_drawn_too() {
        let write = |value: &f64| format!("{value}");
        let axis = Axis { name: "time", write: &write };
        assert!(linear(&[], &axis, &axis).is_ok());
        assert!(logarithmic(&[Series { name: "none".into(), points: vec![] }], &axis, &axis).is_ok());
    }
}
