-- A sample of all CVEs, from which a search estimates the number of its hits (ADR 0034).

-- Returns the place of a CVE in an order that has nothing to do with its values: a whole number below 2^32. The number of
-- the id is multiplied by 2^32 divided by the golden ratio, without the digits above 2^32. Ids that follow each other get
-- places far from each other, and the CVEs up to any place are spread evenly over all ids.
create function catalog.sample_place(cve_key bigint) returns bigint
  language sql immutable strict parallel safe
  return ($1 % 1000000000 * 2654435769) & 4294967295;

grant execute on function catalog.sample_place(bigint) to vis_api, vis_feeds;

-- The first sixteenth of this order. It has the columns that most filters read, so that the estimate of a search without
-- words needs no row of the table, which is wide because of its words.
--
-- The table is read once while the index is created: readers continue, a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_sample on catalog.cve (catalog.sample_place(cve_key))
  include (cve_key, published, modified, score, status, has_exploit, in_kev, in_eu_kev, has_notice, has_reference, has_patch,
           cpe_count, attack_vector, priority, ssvc, assigner, maturity, evidence_count, has_fix, is_ransomware,
           score_version, disagreements)
  where catalog.sample_place(cve_key) < 268435456;

-- Filters by SSVC values, and by the absence of a fix beside an EPSS score, would otherwise read the whole table.
-- squawk-ignore require-concurrent-index-creation
create index cve_ssvc on catalog.cve (ssvc);
-- squawk-ignore require-concurrent-index-creation
create index cve_without_fix on catalog.cve (cve_key) where not has_fix;
