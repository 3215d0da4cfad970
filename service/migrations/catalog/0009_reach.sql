-- How far a source's statement reaches: versions, module stream and state; and why a product is not affected.

alter table source.debian_status
  -- Newest version of the package in the release's repositories, if the status is open or undetermined.
  add column known_version text,
  -- Debian's decision about the CVE: no-dsa, postponed or ignored.
  add column decision text;

alter table catalog.affected
  -- RPM module streams of the fixed package, such as nodejs:20; empty if the source does not name the stream of a module.
  add column streams text[] collate "C",
  -- Newest version that the source knew when it called the package affected.
  add column known text collate "C",
  -- Distribution's own word for the urgency, such as unimportant.
  add column urgency text,
  -- What the distribution does about the CVE, such as will_not_fix.
  add column state text,
  -- Day of a statement without versions.
  add column stated_on date,
  -- Why the product is not affected, in the words of CSAF, such as component_not_present.
  add column justification text;
