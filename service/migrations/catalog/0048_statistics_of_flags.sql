-- Statistics of common combinations of flags, without functional dependencies between them: these took 8 s of every
-- `analyze` of 14,000 CVEs, because seven columns have hundreds of combinations of dependencies, and the
-- searches of the benchmark take as long without them.
drop statistics catalog.cve_flags;
create statistics catalog.cve_flags (mcv)
  on status, has_exploit, in_kev, has_notice, has_reference, has_patch, attack_vector
  from catalog.cve;
