-- Names the table after its content: the inputs of resolving that concern every CVE. API nodes never read the table. A
-- worker of the previous release cannot publish after this migration and must be upgraded.

-- squawk-ignore renaming-table
alter table catalog.premise rename to resolver_inputs;
-- squawk-ignore renaming-column
alter table catalog.resolver_inputs rename column knowledge_hash to reference_data_hash;
alter table catalog.resolver_inputs rename constraint premise_pkey to resolver_inputs_pkey;
alter table catalog.resolver_inputs rename constraint premise_is_current_check to resolver_inputs_is_current_check;

comment on table catalog.resolver_inputs is
  'One row: the resolver version and the hash of the weaknesses and techniques that every published CVE was resolved with.';
