package dev.tidemark.tests.harness;

/**
 * SQL for a replica database that holds the first load of a table which a migration has yet to
 * create: the load stands before one row for as long as a test wants, however fast the machine is.
 */
public final class HeldLoad {

  /** Lets the load go on. */
  public static final String RELEASE = "delete from hold";

  /** Has a row while a load is held. */
  public static final String HELD =
      "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";

  private HeldLoad() {}

  /**
   * To be run before the table is there.
   *
   * @param target the table
   * @param id of the row that is not let in
   */
  public static String before(String target, int id) {
    return """
        create table hold as select true as held;
        create function wait_while_held() returns trigger language plpgsql security definer as $$
        begin
          while exists (select from hold) loop
            perform pg_sleep(0.01);
          end loop;
          return new;
        end $$;
        create function hold_the_load() returns event_trigger language plpgsql as $$
        begin
          if exists (select from pg_event_trigger_ddl_commands()
                     where object_identity = 'public.%1$s') then
            create trigger hold before insert on %1$s
              for each row when (new.id = %2$d) execute function wait_while_held();
          end if;
        end $$;
        create event trigger hold_the_load on ddl_command_end when tag in ('CREATE TABLE')
          execute function hold_the_load()
        """
        .formatted(target, id);
  }
}
