package dev.tidemark.topics.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.topics.yaml.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of problem, each alone, with the line that it is reported at. */
class RouteFileProblemsTest {

  private static final String LONG_NAME = "n".repeat(64);
  private static final String HEAD = "slot: s\npublication: p\n";

  /** A file with one document route, whose column is on line 4. */
  private static String column(String column) {
    return HEAD + "routes: [ { doctype: D, target: r, columns: [\n" + column + "\n] } ]\n";
  }

  /** A file with one table route, whose column is on line 4. */
  private static String tableColumn(String column) {
    return HEAD + "routes: [ { table: t, target: r, columns: [\n" + column + "\n] } ]\n";
  }

  /** A file with one route on line 4. */
  private static String route(String route) {
    return HEAD + "routes:\n  - " + route + "\n";
  }

  private static String top(String line) {
    return HEAD
        + "routes: [ { doctype: D, target: r, columns: [ { name: a, from: a } ] } ]\n"
        + line;
  }

  private static final String COLUMNS = "columns: [ { name: a, from: a } ]";

  static List<Arguments> problems() {
    return List.of(
        // the file
        Arguments.of("", 1, "the file is empty"),
        Arguments.of("# nothing\n", 1, "the file is empty"),
        Arguments.of("just text", 1, "must be a map, but is a text"),
        Arguments.of("slot: s\nroutes: [\n", 3, "not YAML"),
        Arguments.of("slot: s\n\tpublication: p\n", 2, "not YAML"),
        Arguments.of(top("---\nslot: s\n"), 4, "not YAML"),
        Arguments.of("slot: *nothing\n", 1, "not YAML"),
        // keys
        Arguments.of(top("slots: s\n"), 4, "unknown key `slots`; did you mean `slot`?"),
        Arguments.of(top("zzzzzz: s\n"), 4, "unknown key `zzzzzz` (known: pipeline, slot"),
        Arguments.of(top("slot: t\n"), 4, "`slot` twice; the first is on line 1"),
        Arguments.of(
            "publication: p\nroutes: [ { doctype: D, target: r, " + COLUMNS + " } ]",
            1,
            "lacks the key `slot`"),
        Arguments.of(
            "slot: s\nroutes: [ { doctype: D, target: r, " + COLUMNS + " } ]",
            1,
            "lacks the key `publication`"),
        Arguments.of(HEAD, 1, "lacks the key `routes`"),
        // names of the pipeline
        Arguments.of(top("pipeline: a.b\n"), 4, "`a.b` cannot be a pipeline: use letters"),
        Arguments.of(
            top("pipeline: " + "p".repeat(101)), 4, "it has 101 characters, and 100 are allowed"),
        Arguments.of(
            "slot: a-b\npublication: p\nroutes: [ { doctype: D, target: r, " + COLUMNS + " } ]",
            1,
            "`a-b` cannot be a slot"),
        Arguments.of(
            "slot: "
                + LONG_NAME
                + "\npublication: p\nroutes: [ { doctype: D, target: r, "
                + COLUMNS
                + " } ]",
            1,
            "it has 64 bytes, and PostgreSQL allows 63"),
        Arguments.of(
            "slot: s\npublication: P\nroutes: [ { doctype: D, target: r, " + COLUMNS + " } ]",
            2,
            "`P` cannot be a publication"),
        // partitions
        Arguments.of(
            top("partitions: 0\n"), 4, "`partitions: 0` is not a whole number from 1 to 1024"),
        Arguments.of(top("partitions: 1025\n"), 4, "from 1 to 1024"),
        Arguments.of(top("partitions: 99999999999999999999\n"), 4, "from 1 to 1024"),
        Arguments.of(top("partitions: 04\n"), 4, "from 1 to 1024"),
        Arguments.of(top("partitions: [4]\n"), 4, "`partitions` must be a text, but is a list"),
        // documents and permissions
        Arguments.of(top("documents: public.doc\n"), 4, "`documents` must be a map, but is a text"),
        Arguments.of(top("documents: { tabel: x, table: y }\n"), 4, "did you mean `table`?"),
        Arguments.of(top("documents: { table: a. }\n"), 4, "an empty name beside its dot"),
        Arguments.of(top("documents: { table: [a, b, c] }\n"), 4, "two entries: [schema, name]"),
        Arguments.of(top("documents: { table: " + LONG_NAME + " }\n"), 4, "64 bytes"),
        Arguments.of(
            top("permissions: { D: { reed: [a], write: [b] } }\n"), 4, "did you mean `read`?"),
        Arguments.of(
            top("permissions: { D: { read: ops } }\n"), 4, "`read` must be a list, but is a text"),
        Arguments.of(
            top("permissions: { D: { read: [ops, ops] } }\n"), 4, "`read` names `ops` twice"),
        Arguments.of(
            top("permissions: { D: {} }\n"), 4, "names roles under `read`, `write` or both"),
        Arguments.of(top("permissions: { D: { read: [~] } }\n"), 4, "`~`, YAML's null"),
        // routes
        Arguments.of(HEAD + "routes: []\n", 3, "`routes` is empty"),
        Arguments.of(HEAD + "routes:\n", 3, "`routes` must be a list, but is empty"),
        Arguments.of(HEAD + "routes: {}\n", 3, "`routes` must be a list, but is a map"),
        Arguments.of(HEAD + "routes: [ text ]\n", 3, "a route must be a map"),
        Arguments.of(route("{ target: r, " + COLUMNS + " }"), 4, "lacks its source: `doctype`"),
        Arguments.of(
            route("{ doctype: D, table: t, target: r, " + COLUMNS + " }"),
            4,
            "either `doctype` or `table`"),
        Arguments.of(route("{ doctype: D, " + COLUMNS + " }"), 4, "lacks the key `target`"),
        Arguments.of(route("{ doctype: D, target: r }"), 4, "lacks the key `columns`"),
        Arguments.of(
            route("{ doctype: D, target: r, tenant: t, " + COLUMNS + " }"),
            4,
            "unknown key `tenant`"),
        Arguments.of(route("{ doctype: D, target: r, columns: [] }"), 4, "`columns` is empty"),
        Arguments.of(
            route("{ table: t, target: r, columns: {} }"),
            4,
            "`columns` must be a list, but is a map"),
        Arguments.of(route("{ doctype: , target: r, " + COLUMNS + " }"), 4, "`doctype` is nothing"),
        Arguments.of(
            route("{ doctype: \"\", target: r, " + COLUMNS + " }"),
            4,
            "`doctype` is an empty text"),
        Arguments.of(
            route("{ doctype: D, target: Replica, " + COLUMNS + " }"),
            4,
            "`Replica` cannot be a target: use a lower-case"),
        Arguments.of(
            route("{ doctype: D, target: a-b, " + COLUMNS + " }"), 4, "`a-b` cannot be a target"),
        Arguments.of(
            route("{ doctype: D, target: 1a, " + COLUMNS + " }"), 4, "`1a` cannot be a target"),
        Arguments.of(
            route("{ doctype: D, target: 'a\"; drop table x', " + COLUMNS + " }"),
            4,
            "cannot be a target"),
        Arguments.of(
            route("{ doctype: D, target: " + LONG_NAME + ", " + COLUMNS + " }"),
            4,
            "64 bytes, and PostgreSQL allows 63"),
        Arguments.of(
            route("{ doctype: D, target: tidemark_x, " + COLUMNS + " }"),
            4,
            "Tidemark's own tables"),
        Arguments.of(
            route(
                "{ doctype: D, target: r, "
                    + COLUMNS
                    + " }\n  - { doctype: E, target: r, "
                    + COLUMNS
                    + " }"),
            5,
            "`r` is the target of another route already, on line 4"),
        Arguments.of(
            route(
                "{ table: t, tenant: a, target: r, "
                    + COLUMNS
                    + " }\n  - { table: public.t, tenant: b, target: q, "
                    + COLUMNS
                    + " }"),
            5,
            "has the tenant column `b` here, but the tenant column `a` in the route on line 4"),
        Arguments.of(
            route(
                "{ table: t, tenant: a, target: r, "
                    + COLUMNS
                    + " }\n  - { table: t, target: q, "
                    + COLUMNS
                    + " }"),
            5,
            "has no tenant column here"),
        Arguments.of(
            route("{ table: tidemark_doc, target: r, " + COLUMNS + " }"),
            4,
            "its `tenant` is tenant_id"),
        Arguments.of(
            route("{ table: t, target: r, key: [], " + COLUMNS + " }"), 4, "`key` is empty"),
        Arguments.of(
            route("{ table: t, target: r, key: id, " + COLUMNS + " }"), 4, "`key` must be a list"),
        Arguments.of(
            route("{ table: t, target: r, key: [id, id], " + COLUMNS + " }"),
            4,
            "names `id` twice"),
        Arguments.of(
            route("{ table: t, target: r, key: [" + LONG_NAME + "], " + COLUMNS + " }"),
            4,
            "64 bytes"),
        Arguments.of(
            route("{ table: t, target: r, tenant: null, " + COLUMNS + " }"),
            4,
            "`null`, YAML's null; put it in quotes"),
        Arguments.of(
            route("{ table: .t, target: r, " + COLUMNS + " }"), 4, "empty name beside its dot"),
        Arguments.of(
            route("{ table: " + "ä".repeat(32) + ", target: r, " + COLUMNS + " }"), 4, "64 bytes"),
        // columns
        Arguments.of(column("text"), 4, "a column must be a map"),
        Arguments.of(column("{ from: a }"), 4, "a column lacks the key `name`"),
        Arguments.of(column("{ name: a }"), 4, "a column lacks the key `from`"),
        Arguments.of(column("{ name: a, from: }"), 4, "`from` is nothing"),
        Arguments.of(column("{ name: a, from: [] }"), 4, "`from` is an empty list"),
        Arguments.of(column("{ name: a, from: [a, ''] }"), 4, "an empty text"),
        Arguments.of(column("{ name: a, from: a..b }"), 4, "an empty name between its dots"),
        Arguments.of(column("{ name: a, from: .a }"), 4, "an empty name between its dots"),
        Arguments.of(
            column("{ name: a, from: { b: c } }"), 4, "`from` must be a text, but is a map"),
        Arguments.of(column("{ name: a, form: a, from: a }"), 4, "did you mean `from`?"),
        Arguments.of(column("{ name: a, name: b, from: a }"), 4, "the key `name` twice"),
        Arguments.of(
            column("{ name: a, from: a },\n{ name: a, from: b }"),
            5,
            "the column `a` twice; the first is on line 4"),
        Arguments.of(column("{ name: A, from: a }"), 4, "`A` cannot be a column's name"),
        Arguments.of(column("{ name: " + LONG_NAME + ", from: a }"), 4, "64 bytes"),
        Arguments.of(
            column("{ name: tenant_id, from: a }"), 4, "has a column of that name already"),
        Arguments.of(
            column("{ name: source_lsn, from: a }"), 4, "has a column of that name already"),
        Arguments.of(
            column("{ name: updated_at, from: a }"), 4, "has a column of that name already"),
        Arguments.of(
            column("{ name: tidemark_generation, from: a }"),
            4,
            "has a column of that name already"),
        Arguments.of(column("{ name: ctid, from: a }"), 4, "a system column of PostgreSQL"),
        Arguments.of(tableColumn("{ name: xmin, from: a }"), 4, "a system column of PostgreSQL"),
        Arguments.of(column("{ name: name, from: a }"), 4, "the key of a document route"),
        Arguments.of(column("{ name: a, from: a, type: strin }"), 4, "unknown type `strin`"),
        Arguments.of(column("{ name: a, from: a, type: integr }"), 4, "did you mean `integer`?"),
        Arguments.of(
            column("{ name: a, from: a, type: \"numeric(10,2)\" }"),
            4,
            "(allowed: text, integer, bigint"),
        Arguments.of(
            column("{ name: a, from: a, type: \"jsonb[]\" }"), 4, "unknown type `jsonb[]`"),
        Arguments.of(
            column("{ name: a, from: a, transform: lenght }"), 4, "did you mean `length`?"),
        Arguments.of(
            column("{ name: a, from: a, transform: none }"),
            4,
            "unknown transform `none` (allowed: length)"),
        Arguments.of(
            column("{ name: a, from: a, transform: length, type: text }"),
            4,
            "its type is integer or bigint, not text"),
        Arguments.of(
            tableColumn("{ name: a, from: a, transform: length, type: \"integer[]\" }"),
            4,
            "integer or bigint"),
        Arguments.of(
            tableColumn("{ name: a, from: " + LONG_NAME + " }"), 4, "`from` names no column"),
        Arguments.of(
            column("{ name: a, from: a, type: text[] }"), 4, "a type such as \"text[]\" in quotes"),
        Arguments.of(column("{ name: !!int 3, from: a }"), 4, "remove the tag"));
  }

  @ParameterizedTest(name = "line {1}: {2}")
  @MethodSource("problems")
  void reports(String yaml, int line, String message) {
    RouteFileException thrown =
        catchThrowableOfType(
            RouteFileException.class, () -> RouteFileParser.parse("dir/f.yaml", yaml));

    assertThat(thrown).isNotNull();
    assertThat(thrown.problems().stream().map(Problem::toString).collect(Collectors.toList()))
        .singleElement()
        .asString()
        .startsWith("dir/f.yaml:" + line + ": ")
        .contains(message);
  }
}
