-- The scores that each EPSS release changed. The change log has rows only for jumps, but a score can also cross a bound in
-- small steps.
create table catalog.epss_moved (
  -- Number of the release's row in catalog.change (type epss_released).
  seq     bigint           not null,
  cve_key bigint           not null,
  -- Null if a release has no score for the CVE.
  old     double precision,
  new     double precision,
  primary key (seq, cve_key)
);

-- Only the publisher adds rows, and the worker deletes them after 30 days; no row ever changes.
revoke update on catalog.epss_moved from vis_feeds;

-- The number up to which rows of the tables that complete a change for 30 days may be missing.
alter table catalog.change_floor add column details_seq bigint not null default 0;
-- Changes before this migration have no such rows.
update catalog.change_floor
   set details_seq = coalesce((select max(seq) from catalog.change), 0);
