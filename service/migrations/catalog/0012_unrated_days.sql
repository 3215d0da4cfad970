-- How many CVEs the priority policy did not rate at the end of a day, for /stats/series. A day without a row has the
-- number of the day before: only a publication changes levels, and it writes the row of its day.
create table catalog.unrated_day (
  day  date    primary key,
  cves integer not null check (cves >= 0)
);
