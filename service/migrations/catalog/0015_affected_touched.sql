-- The products and packages whose affected versions a change added, removed or replaced (catalog.affected).
create table catalog.affected_touched (
  -- Number of the change in catalog.change.
  seq         bigint  not null,
  -- As in catalog.affected.
  subject_key bigint  not null,
  name_key    integer not null,
  primary key (seq, subject_key, name_key)
);

-- Only the publisher adds rows, and the worker deletes them after 30 days; no row ever changes.
revoke update on catalog.affected_touched from vis_feeds;

-- Changes before this migration have no such rows.
update catalog.change_floor
   set details_seq = coalesce((select max(seq) from catalog.change), 0);
