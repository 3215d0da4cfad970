-- How attackers go about it: MITRE's ATT&CK techniques and CAPEC patterns, and which CVE is exploited by which
-- technique, as people have found it. All three are sets: what leaves them is kept and marked with removed_at.
create table source.attack_technique (
  -- As `T1059` or, under that one, `T1059.003`.
  technique_id     text        collate "C" primary key,
  name             text        not null,
  -- As ATT&CK writes them: `initial-access`.
  tactics          text[]      not null,
  is_subtechnique  boolean     not null,
  -- Revoked or deprecated, and kept: older mappings go on naming it.
  is_deprecated    boolean     not null,
  content_hash     bytea       not null,
  removed_at       timestamptz
);

create table source.capec (
  -- As `CAPEC-66`.
  capec_id      text        collate "C" primary key,
  name          text        not null,
  status        text        not null,
  -- `Meta`, `Standard` or `Detailed`.
  abstraction   text,
  likelihood    text,
  severity      text,
  -- The weaknesses that it needs, and the techniques that it is part of.
  cwe_ids       text[]      not null,
  technique_ids text[]      not null,
  is_deprecated boolean     not null,
  content_hash  bytea       not null,
  removed_at    timestamptz
);

create table source.attack_mapping (
  cve_id           text        collate "C" not null,
  technique_id     text        collate "C" not null,
  -- How the vulnerability is exploited, or what that leads to.
  mapping_type     text        not null
                   check (mapping_type in ('exploitation_technique', 'primary_impact', 'secondary_impact', 'uncategorized')),
  -- The kind of vulnerability, in the words of those who made the mapping.
  capability_group text,
  comments         text,
  content_hash     bytea       not null,
  removed_at       timestamptz,
  primary key (cve_id, technique_id, mapping_type)
);

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('attack', 2592000, false), ('capec', 2592000, false), ('attack-mapping', 2592000, false);
