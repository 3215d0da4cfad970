-- How likely FIRST thinks exploitation is, for every CVE, as of the last release.
create table source.epss_score (
  cve_id        text             collate "C" primary key,
  -- Doubles hold any decimal of up to 15 digits so that it reads back the same, and compare as the decimals do.
  score         double precision not null check (score between 0 and 1),
  percentile    double precision not null check (percentile between 0 and 1),
  -- Scores of different models are not comparable.
  model_version text             not null
)
-- Nearly every row changes every day. With more than half of each page free, the new version of a row finds room beside
-- the old one, and neither the index nor the table grows.
with (fillfactor = 45);

-- One row: when the scores above were calculated. Kept apart from them, so that a score that stays the same from one
-- day to the next need not be written again.
create table source.epss_release (
  is_current    boolean     primary key default true check (is_current),
  scored_at     timestamptz not null,
  model_version text        not null
);
