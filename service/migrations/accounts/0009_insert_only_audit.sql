-- Rows of the audit log can be added but not changed, not even by the owner of the table, so that a mistake or a
-- statement that was slipped into an operator's session cannot remove its traces. The owner can still drop the trigger
-- or the table, which are changes of the schema: `vis-server audit export` keeps a copy elsewhere.

create function accounts.refuse_audit_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'accounts.audit accepts new rows only: % is refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation',
          hint = 'Correct a wrong entry by a new one.';
end
$$;

-- Per statement: a statement that would change no row is refused too.
create trigger insert_only before update or delete or truncate on accounts.audit
  for each statement execute function accounts.refuse_audit_change();

-- Without this, a session with session_replication_role = replica would not run the trigger.
alter table accounts.audit enable always trigger insert_only;
