-- Indexes that hold what facets count, so that counting reads no rows of the wide table catalog.cve.
--
-- The tables are read once while each index is created: readers continue, a publisher waits. The old indexes are dropped
-- last, because that makes readers wait until the end of the transaction.

-- The flags of CVEs with a severity. `priority` and `maturity` are new.
-- squawk-ignore require-concurrent-index-creation
create index cve_score_new on catalog.cve (score, cve_key)
  include (published, modified, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector,
           priority, maturity);

-- The products of a CVE. `product_key` is new.
-- squawk-ignore require-concurrent-index-creation
create index cve_product_cve_key_new on catalog.cve_product (cve_key) include (product_key);

-- squawk-ignore require-concurrent-index-deletion
drop index catalog.cve_score;
alter index catalog.cve_score_new rename to cve_score;
-- squawk-ignore require-concurrent-index-deletion
drop index catalog.cve_product_cve_key;
alter index catalog.cve_product_cve_key_new rename to cve_product_cve_key;
