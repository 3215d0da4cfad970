-- Least-privilege roles, created once per cluster, and what they may do in this database.
-- `vis-server migrate` runs this if it has the rights; otherwise a superuser runs it once per database. Safe to repeat.
-- The roles cannot log in: grant them to login users of your own, for example
--   create role vis_api_login login password '…' in role vis_api;
do $$
declare
  role_name text;
begin
  foreach role_name in array array['vis_api', 'vis_feeds', 'vis_identity', 'vis_jobs', 'vis_migrate', 'vis_notify'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception when duplicate_object or unique_violation then
        null; -- another migration, in another database of this cluster, created it first
      end;
    end if;
  end loop;

  if not has_database_privilege('vis_migrate', current_database(), 'create') then
    execute format('grant create on database %I to vis_migrate', current_database());
  end if;
  -- By default, everyone may create temporary tables; only feeds need them, for staging.
  if has_database_privilege('vis_api', current_database(), 'temporary') then
    execute format('revoke temporary on database %I from public', current_database());
  end if;
  if not has_database_privilege('vis_feeds', current_database(), 'temporary') then
    execute format('grant temporary on database %I to vis_feeds', current_database());
  end if;
  if has_schema_privilege('vis_api', 'public', 'create') then
    revoke create on schema public from public;
  end if;
end
$$;
