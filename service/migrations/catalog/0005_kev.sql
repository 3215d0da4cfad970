-- CISA's catalogue of vulnerabilities known to be exploited. It is a set: what is no longer in it, is no longer said.
create table source.kev_entry (
  cve_id             text        collate "C" primary key,
  vendor_project     text        not null,
  product            text        not null,
  vulnerability_name text        not null,
  -- Never later than the day on which we read it (decision C22).
  date_added         date        not null,
  short_description  text        not null,
  required_action    text        not null,
  due_date           date,
  known_ransomware   boolean     not null,
  -- Null when the catalogue has no such member, empty when it has an empty one (decision D14).
  notes              text,
  cwes               text[]      not null,
  -- SHA-256 of all of the above, as the catalogue has it.
  content_hash       bytea       not null,
  first_stored_at    timestamptz not null,
  -- Null while the entry is in the catalogue. CISA removes without a word, so this is when the first catalogue was
  -- released that we have seen without it.
  removed_at         timestamptz
);
