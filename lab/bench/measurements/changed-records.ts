// Changes records of NVD in the database of a benchmark, as an import would, so that a publication has work.

/** Number of CVEs that a publication changes. */
export const CHANGED = 10_000

/** Changes other records of NVD in each turn, and the text of every fifth of them. */
export const changeRecords = (turn: number) => `
  with chosen as (
    select cve_id
      from source.source_record
     where source = 'nvd'
     order by hashtextextended(cve_id, 0)
     limit ${CHANGED} offset ${CHANGED * turn}
  ), changed as (
    update source.source_record stored
       set modified = '2026-08-22T10:00:00Z',
           content_hash = sha256(content_hash),
           record = case when hashtextextended(stored.cve_id, 1) % 5 = 0
                         then regexp_replace(record, '"value":"', '"value":"Changed. ')
                         else record
                    end
      from chosen
     where chosen.cve_id = stored.cve_id and stored.source = 'nvd'
    returning stored.cve_id
  )
  insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from changed
`
