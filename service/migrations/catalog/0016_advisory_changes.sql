-- Changes of advisories without a CVE in the change log. The existing rows met the narrower check, so none is read again.
alter table catalog.change
  drop constraint change_kind_check,
  add constraint change_kind_check
    check (kind in ('added', 'changed', 'removed', 'kev', 'epss', 'rules', 'loaded', 'advisory')) not valid;

alter table catalog.advisory
  -- Hash of the stored advisories alone: if it is the same, a difference comes from the rules. Null for an advisory that
  -- was published before this column.
  add column source_hash bytea;
