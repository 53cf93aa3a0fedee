import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { type Answers, checkNeeded, type Needed, readAnswers, readNeeded } from "./people.ts";

/*
 * Who may do what, for everything that the data API and the storage can reach. The tests ask the database each of these
 * questions, npm run rights prints a page from here, and what the database has beyond it fails the gate.
 * ":name" is a row of the test data (see world.ts).
 */

export type Operation = "select" | "insert" | "update" | "delete";

export type Right = {
  operation: Operation;
  /** The columns of an insert or update; "*" for all that no other line of the table names; null where it makes no sense. */
  columns: string[] | "*" | null;
  answers: Answers;
  /** With which duties others get the admin's answer. */
  needed: Needed;
};

export type TableRights = {
  name: string;
  /** Which row is asked about: the customer's own; for shop-wide tables any. */
  row: string;
  /** SQL values for inserts and updates, by column; an update without one sets the column to itself. */
  values: Record<string, string>;
  rights: Right[];
};

export type FunctionRights = { name: string; call: string; answers: Answers; needed: Needed };

/** A table's lines: operation, columns where there are some, six answers, and in brackets the duties with which one gets the admin's. */
function table(name: string, row: string, values: Record<string, string>, lines: string): TableRights {
  const rights = lines
    .trim()
    .split("\n")
    .map((line): Right => {
      const [, rights = "", duties = "admin"] = /^(.*?)(?:\s+\[(\S+)\])?$/.exec(line.trim()) ?? [];
      const words = rights.split(/\s+/);
      const answers = readAnswers(words.slice(-6));
      const needed = readNeeded(duties);
      checkNeeded(`${name}: ${line}`, answers, needed);
      const [operation = "", columns, ...more] = words.slice(0, -6);
      if (!["select", "insert", "update", "delete"].includes(operation) || more.length > 0)
        throw new Error(`Not understood: ${line}`);
      return {
        operation: operation as Operation,
        columns: columns === undefined ? null : columns === "*" ? "*" : columns.split(","),
        answers,
        needed,
      };
    });
  return { name, row, values, rights };
}

const bookColumns = [...new Set([...bookFieldNames, "kind", "digital_by"])].join(",");

/** Answers in this order: visitor, customer (own row), another customer, moderator, admin, secret key. */
export const tables: TableRights[] = [
  table(
    "books",
    "id = :book",
    { id: "gen_random_uuid()", title: "'A title'", price: "12.5", stock_quantity: "3", kind: "'stationery'" },
    `
    select                      yes   yes   yes   yes   yes   yes
    insert id,${bookColumns}    no    policy policy policy yes yes [catalogue]
    insert *                    no    no    no    no    no    no
    update ${bookColumns}       no    none  none  none  yes   yes [catalogue]
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   yes [catalogue+deletions]`,
  ),
  table(
    "publishers",
    "id = :publisher",
    {},
    `
    select                      yes   yes   yes   yes   yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   yes [catalogue+deletions]`,
  ),
  table(
    "profiles",
    "id = :customer",
    {
      full_name: "'A new name'",
      phone: "'+233201234567'",
      address: "'5 Castle Road'",
      city: "'Cape Coast'",
      postal_code: "'CC1'",
      region: "'Central'",
      landmark: "'Opposite the post office'",
      digital_address: "'CC-012-3456'",
      delivery_method: "'deliver'",
      bus_station: "'STC, Cape Coast'",
    },
    `
    select                      no    yes   none  none  yes   yes [people|orders]
    insert *                    no    no    no    no    no    no
    update full_name,phone,address,city,postal_code,region,landmark,digital_address,delivery_method,bus_station no yes   none  none  none  no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  table(
    "user_roles",
    "user_id = :customer",
    { user_id: ":customer", role: "'moderator'" },
    `
    select                      no    yes   none  none  yes   yes
    insert user_id,role         no    admin_only admin_only admin_only yes yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    admin_only admin_only admin_only yes yes`,
  ),
  table(
    "staff_duties",
    "user_id = :packer",
    { user_id: ":customer", duty: "'orders'" },
    `
    select                      no    none  none  none  yes   yes [people]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  table(
    "cart_items",
    "id = :line",
    { user_id: ":customer", book_id: ":other_book", quantity: "2" },
    `
    select                      no    yes   none  none  none  yes
    insert user_id,book_id,quantity no yes  policy policy policy no
    insert *                    no    no    no    no    no    no
    update quantity             no    yes   none  none  none  no
    update *                    no    no    no    no    no    no
    delete                      no    yes   none  none  none  no`,
  ),
  table(
    "wishlists",
    "id = :wish",
    { user_id: ":customer", book_id: ":other_book" },
    `
    select                      no    yes   none  none  none  yes
    insert user_id,book_id      no    yes   policy policy policy no
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    yes   none  none  none  no`,
  ),
  table(
    "stock_alerts",
    "id = :alert",
    {},
    `
    select                      no    yes   none  none  none  yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    yes   none  none  none  no`,
  ),
  table(
    "orders",
    "id = :order",
    {
      id: "gen_random_uuid()",
      user_id: ":customer",
      total_amount: "45.5",
      status: "'pending'",
      shipping_address: "'5 Castle Road, Cape Coast'",
      recipient_name: "'A reader'",
      recipient_email: "'reader@school.example'",
      recipient_phone: "'+233201234567'",
      region: "'Central'",
      landmark: "'Opposite the post office'",
      digital_address: "'CC-012-3456'",
      delivery_method: "'bus_station'",
      bus_station: "'STC, Cape Coast'",
      delivery_note: "'After school'",
      customer_reference: "'PO 17'",
      delivery_fee: "0",
    },
    `
    select                      no    yes   none  none  yes   yes [orders]
    insert id,user_id,total_amount,status,shipping_address,recipient_name,recipient_email,recipient_phone,region,landmark,digital_address,delivery_method,bus_station,delivery_note,customer_reference,delivery_fee no yes order_not_yours order_not_yours order_not_yours no
    insert *                    no    no    no    no    no    no
    update status               no    yes   none  none  yes   no [orders]
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   no [orders+deletions]`,
  ),
  table(
    "order_items",
    "order_id = :order",
    { order_id: ":order", book_id: ":ordered_book", quantity: "2", price: "30" },
    `
    select                      no    yes   none  none  yes   yes [orders]
    insert order_id,book_id,quantity,price no none order_item_refused order_item_refused order_item_refused no
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  none  no`,
  ),
  readByStaff("order_events", "order_id = :delivered", "orders"),
  readByStaff("order_notes", "order_id = :order", "orders"),
  readByStaff("order_returns", "id = :return", "orders"),
  readByStaff("order_return_lines", "return_id = :return", "orders"),
  readByStaff("order_shipments", "id = :shipment", "orders"),
  readByStaff("order_shipment_lines", "shipment_id = :shipment", "orders"),
  readByStaff("stock_movements", "book_id = :ordered_book", "stock"),
  readByStaff("stock_counts", "id = :count", "stock"),
  readByStaff("stock_count_books", "count_id = :count", "stock"),
  readByStaff("stock_scans", "id = :scan", "stock"),
  readByStaff("audit_log", "id = :gone_book", "admin"),
  table(
    "terms_versions",
    "version = 1",
    {},
    `
    select                      yes   yes   yes   yes   yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  // A private setting: everyone reads the public ones.
  table(
    "shop_settings",
    "id = 'ownerEmail'",
    { id: "'email'", value: "'\"hello@shop.example\"'" },
    `
    select                      none  none  none  none  yes   yes [settings]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  table(
    "reviews",
    "id = :review",
    {},
    `
    select                      no    none  none  yes   yes   yes [reviews]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   no [reviews+deletions]`,
  ),
  readByStaff("book_imports", "id = :import", "catalogue"),
  readByStaff("book_import_rows", "import_id = :import", "catalogue"),
  readByStaff("consultations", "id = :consultation", "schools"),
  readByStaff("consultation_answers", "id = :consultation_answer", "schools"),
  readByStaff("booklists", "id = :booklist", "schools"),
  readByStaff("booklist_lines", "booklist_id = :booklist", "schools"),
  table(
    "invoices",
    "order_id = :order",
    {},
    `
    select                      no    yes   none  none  yes   yes [orders]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  readByStaff("closings", "id = :closing", "payments"),
  readByStaff("outgoing_emails", "order_id = :order", "orders"),
  readByStaff("events", "id = :event", "events"),
  readByStaff("event_registrations", "id = :registration", "events"),
  readByStaff("event_subscribers", "id = :subscriber", "events"),
  readByStaff("suppliers", "id = :supplier", "stock"),
  readByStaff("purchase_orders", "id = :purchase", "stock"),
  readByStaff("purchase_order_lines", "purchase_order_id = :purchase", "stock"),
  readByStaff("receipts", "id = :receipt", "stock"),
  readByStaff("receipt_lines", "receipt_id = :receipt", "stock"),
  readOnceSent("payments", "id = :payment", "payments"),
  readOnceSent("quotes", "id = :offer", "schools"),
  readOnceSent("quote_lines", "quote_id = :offer", "schools"),
];

/** What functions write, and the customer reads, a quote once it has been sent. */
function readOnceSent(name: string, row: string, duty: string): TableRights {
  return table(
    name,
    row,
    {},
    `
    select                      no    yes   none  none  yes   yes [${duty}]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  );
}

/** What functions and triggers alone write, and staff read. */
function readByStaff(name: string, row: string, duty: string): TableRights {
  return table(
    name,
    row,
    {},
    `
    select                      no    none  none  none  yes   yes [${duty}]
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  );
}

/** Functions of one kind: each line is a call. */
function functions(answers: string, calls: string, duties = "admin"): FunctionRights[] {
  const read = readAnswers(answers.split(" "));
  const needed = readNeeded(duties);
  checkNeeded(calls, read, needed);
  return calls
    .trim()
    .split("\n")
    .map((line) => {
      const call = line.trim();
      return { name: call.slice(0, call.indexOf("(")), call, answers: read, needed };
    });
}

/** Functions for people with these duties; what they answer to them and to the secret key. */
function forDuty(duties: string, calls: string, answer = "yes"): FunctionRights[] {
  const refused = duties === "admin" ? "admin_only" : "duty_missing";
  const moderator = duties === "reviews" || duties === "any" ? answer : refused;
  return functions(`no ${refused} ${refused} ${moderator} ${answer} ${answer}`, calls, duties);
}

/** Every function of the schema public, called about the customer's rows or the shop's. */
export const publicFunctions: FunctionRights[] = [
  ...functions(
    "yes yes yes yes yes yes",
    `
    catalogue_page(_search => jsonb_populate_record(null::public.book_search, '{}'), _columns => array['title'])
    catalogue_version()
    count_book_ratings(_book_id => :book)
    count_books()
    find_booklist(_code => :booklist_code)
    list_applied_migrations()
    list_book_choices(_search => jsonb_populate_record(null::public.book_search, '{}'), _price_steps => '{50,100}')
    list_book_facets()
    list_book_reviews(_book_id => :book)
    list_publisher_books(_publisher => 'Cambridge University Press', _section => 'Primary')
    list_titled_books(_publisher_id => :publisher)
    list_home_shelves()
    list_related_books(_book_id => :book)
    is_on_its_way(_book_id => :book)
    find_newer_edition(_book_id => :book)
    list_settings()
    list_events()
    request_consultation(_id => gen_random_uuid(), _name => 'A teacher', _about => 'Phonics', _email => :fresh_email)
    find_event(_slug => :event_slug)
    register_for_event(_id => gen_random_uuid(), _slug => :event_slug, _name => 'A teacher', _email => 'teacher@school.example')
    find_event_link(_token => 'unknown')
    find_linked_quote(_quote_id => :linked_quote, _token => 'unknown')
    cancel_event_registration(_token => 'unknown')
    subscribe_to_events(_email => 'teacher@school.example')
    confirm_event_subscription(_token => 'unknown')
    unsubscribe_from_events(_token => 'unknown')
    match_book_lines(_lines => '["A title"]')
    near_books(_search => jsonb_populate_record(null::public.book_search, '{"q": "tilte"}'))
    search_booklists(_q => 'school')
    search_books()
    shop_has_demo()
    suggest_books(_q => 'maths')`,
  ),
  // Before add_to_cart: the others' carts are empty.
  ...functions(
    "no yes cart_empty cart_empty cart_empty no",
    "request_quote(_quote_id => gen_random_uuid(), _institution => 'A school', _contact_name => 'A teacher', _contact_email => 'teacher@school.example', _contact_phone => '+233201234567')",
  ),
  ...functions(
    "no yes yes yes yes no",
    `
    add_booklist_to_cart(_code => :booklist_code, _line_ids => array[:booklist_line]::uuid[])
    add_books_to_cart(_book_ids => array[:other_book]::uuid[], _quantities => array[1])
    add_to_cart(_book_id => :other_book)`,
  ),
  ...functions(
    "no yes yes yes yes no",
    `
    list_own_quotes()
    list_own_consultations()
    own_data()
    find_own_review(_book_id => :book)
    delete_own_review(_book_id => :book)
    report_review(_review_id => :review)
    request_stock_alert(_book_id => :sold_out_book)
    find_own_quote(_quote_id => :offer)
    claim_quote(_quote_id => :linked_quote, _token => :quote_token)`,
  ),
  ...functions(
    "no quote_not_found quote_not_found quote_not_found quote_not_found no",
    "claim_quote(_quote_id => :linked_quote, _token => 'unknown')",
  ),
  // Null for an order without digital titles, and for another customer's.
  ...functions("no yes yes yes yes no", "own_downloads(_order_id => :order)"),
  ...functions(
    "no file_not_found file_not_found file_not_found file_not_found no",
    "start_download(_order_id => :order, _file_id => gen_random_uuid())",
  ),
  ...functions(
    "no yes not_ordered not_ordered not_ordered no",
    "write_review(_book_id => :ordered_book, _rating => 4)",
  ),
  ...functions(
    "no yes quote_not_found quote_not_found quote_not_found no",
    `
    accept_quote(_quote_id => :offer, _version => 2, _purchase_order_number => 'PO 7', _order => '{"shipping_address": "5 Castle Road", "recipient_name": "A teacher", "recipient_email": "teacher@school.example", "recipient_phone": "+233201234567"}')
    decline_quote(_quote_id => :offer)`,
  ),
  ...functions(
    "no yes yes yes yes yes",
    `
    delivery_fee(_region => 'Central', _method => 'deliver', _books_total => 50)
    get_user_role(_user_id => :customer)
    list_low_stock_books()
    list_publisher_statistics()
    order_timeline(_order_id => :order)
    list_shipments(_order_id => :sent_order)
    list_part_sent(_order_ids => array[:sent_order]::uuid[])
    list_copies_to_send(_order_ids => array[:sent_order]::uuid[])`,
  ),
  ...functions(
    "no yes order_not_found order_not_found yes yes",
    "issue_invoice(_order_id => :delivered)",
    "orders",
  ),
  ...functions(
    "no yes order_not_found order_not_found order_not_found no",
    "order_again(_order_id => :order)",
  ),
  ...forDuty(
    "admin",
    `
    admin_count_audit()
    admin_list_audit()
    change_duties(_user_id => :packer, _give => '{orders}', _take => '{people}')`,
  ),
  ...forDuty(
    "schools",
    `
    admin_count_booklists()
    admin_count_quotes()
    admin_list_booklist_sales(_id => :booklist)
    admin_list_booklists()
    admin_list_quotes()
    admin_find_quote(_quote_id => :quote)
    admin_read_booklist(_id => :booklist)
    copy_booklist(_id => :booklist, _school_year => '2027/2028')
    delete_booklist(_id => :draft, _updated_at => :draft_version)
    import_booklists(_lists => '[]')
    save_booklist(_school => 'A school', _class_name => 'Class 1', _school_year => '2026/2027', _lines => '[]')
    set_booklist_status(_id => :booklist, _updated_at => :booklist_version, _status => 'withdrawn')
    begin_quote(_quote_id => gen_random_uuid(), _user_id => null, _institution => 'A school', _contact_name => 'A teacher', _contact_email => 'teacher@school.example', _contact_phone => '+233201234567', _copy_of => :quote)
    update_quote(_quote_id => :quote, _version => 1, _lines => '[{"book_id": "00000000-0000-4000-8000-0000000000b0", "quantity": 1, "unit_price": 40}]')
    send_quote(_quote_id => :quote, _version => 1)
    withdraw_quote(_quote_id => :quote, _version => 1)
    create_quote_link(_quote_id => :linked_quote)
    stop_quote_links(_quote_id => :quote, _version => 1)
    admin_count_consultations()
    admin_list_consultations()
    admin_find_consultation(_id => :consultation)
    answer_consultation(_id => :consultation, _version => 2, _answer_id => gen_random_uuid(), _body => 'Gladly')
    date_consultation(_id => :consultation, _version => 2, _meets_at => :soon, _how => 'phone')
    cancel_consultation_date(_id => :dated_consultation, _version => 2)
    close_consultation(_id => :consultation, _version => 2, _note => 'Done')
    reopen_consultation(_id => :closed_consultation, _version => 2)`,
  ),
  ...forDuty(
    "schools+exports",
    `
    admin_list_consultations(_page_size => 1000)
    admin_list_quotes(_page_size => 1000)`,
  ),
  ...forDuty(
    "any",
    `
    admin_count_books()
    count_kinds()
    admin_list_books()
    export_books(_book_ids => array[:ordered_book]::uuid[])
    dashboard_stats()
    todays_work()`,
  ),
  ...forDuty(
    "orders",
    `
    admin_count_orders()
    admin_list_orders()
    return_to_stock(_order_id => :order)
    resend_unsent_emails()
    list_waiting_emails()
    stop_emails(_events => array['1'])
    set_back_statuses(_order_ids => array[:order]::uuid[], _shown => array['processing'], _statuses => array['pending'])
    set_order_statuses(_order_ids => array[:order]::uuid[], _shown => array['pending'], _status => 'processing')
    try_order_statuses(_order_ids => array[:order]::uuid[], _shown => array['pending'], _status => 'processing')
    find_changed_delivery_fee(_order_id => :order, _books_total => 60, _is_digital => false)
    change_order(_order_id => :order, _updated_at => '2026-01-01', _book_ids => array[:ordered_book]::uuid[], _quantities => array[2], _total => 60)
    undo_order_change(_audit_id => :changed_order)
    return_copies(_return_id => gen_random_uuid(), _order_id => :returned_order, _lines => jsonb_build_array(jsonb_build_object('order_item_id', :returned_line, 'copies', 1)), _reason => 'damaged')
    undo_return(_return_id => :return)
    list_copies_to_return(_order_id => :returned_order)
    ship_copies(_shipment_id => gen_random_uuid(), _order_id => :sent_order, _lines => jsonb_build_array(jsonb_build_object('order_item_id', :sent_line, 'copies', 1)))
    undo_shipment(_shipment_id => :shipment)
    add_order_note(_note_id => gen_random_uuid(), _order_id => :order, _body => 'Called twice')
    place_order_for(_order_id => gen_random_uuid(), _customer_id => null, _book_ids => array[:other_book]::uuid[], _quantities => array[1], _total => 20, _order => '{"shipping_address": "5 Castle Road", "recipient_name": "A teacher", "recipient_email": "teacher@school.example", "recipient_phone": "+233201234567"}')
    resend_email(_email_id => :email)
    admin_list_unsent_emails()
    admin_count_unsent_emails()
    list_order_actors(_order_id => :order)`,
  ),
  ...forDuty(
    "reviews",
    `
    admin_count_reviews()
    admin_list_reviews()
    moderate_review(_review_id => :review, _hidden => 'true')`,
  ),
  ...forDuty(
    "people",
    `
    admin_count_users()
    admin_list_users()
    admin_find_person(_user_id => :customer)
    add_person_note(_note_id => gen_random_uuid(), _user_id => :customer, _body => 'Called twice')
    correct_person(_user_id => :stranger, _seen_name => 'A customer', _full_name => 'A stranger')`,
  ),
  // These databases have a hosted project's accounts.
  ...forDuty(
    "people",
    `
    request_email_change(_user_id => :stranger, _seen_email => 'a@school.example', _email => 'b@school.example')
    withdraw_email_change(_user_id => :stranger)`,
    "own_account_only",
  ),
  ...forDuty(
    "orders+exports",
    `
    admin_list_order_lines(_order_ids => array[:order]::uuid[])
    admin_list_orders(_page_size => 1000)`,
  ),
  ...forDuty(
    "settings",
    `
    admin_list_audit(_table_name => 'shop_settings')
    update_settings(_values => '{"lowStock": 5}', _seen => :seen_settings)
    count_old_orders(_years => 3)`,
  ),
  ...forDuty(
    "catalogue",
    `
    create_book_import(_file_name => 'books.csv')
    stage_book_import_rows(_import_id => :import, _rows => '[{"line": 3, "title": "Staged"}]')
    preview_book_import(_import_id => :import)
    summarise_book_import(_import_id => :import)
    list_rows_left_out(_import_id => :applied_import)
    apply_book_import(_import_id => :import)
    stage_price_change(_percent => 5, _round_to => 1)
    undo_book_import(_import_id => :applied_import)
    change_book(_book_id => :ordered_book, _updated_at => '2026-01-01', _book => '{}', _reason => 'found')
    count_publisher_books()
    list_publisher_spellings(_publisher_id => :publisher)
    merge_publisher_spellings(_publisher_id => :publisher, _spellings => array['C.G.P.'], _dry_run => false)
    order_publishers(_ids => array(select id from public.publishers))
    save_publisher(_id => gen_random_uuid(), _publisher => '{"name": "Adom", "slug": "adom"}')`,
  ),
  ...forDuty(
    "reports",
    `
    check_sales()
    read_sales_check()
    report_sales(_from => '2026-01-01', _to => '2026-12-31', _by => 'customer')
    report_sales_over_time(_from => '2026-01-01', _to => '2026-12-31', _grain => 'month')
    report_margins(_from => '2026-01-01', _to => '2026-12-31', _by => 'title')
    report_stock_value()
    read_book_cost(_book_id => :book)
    report_owed()
    report_takings(_from => '2026-01-01', _to => '2026-12-31')
    report_unsold(_from => '2026-01-01', _to => '2026-12-31')
    report_wanted()
    report_demand(_from => '2026-01-01', _to => '2026-12-31', _kind => 'search')
    report_demand_over_time(_from => '2026-01-01', _to => '2026-12-31', _kind => 'line', _grain => 'month')
    report_wished(_from => '2026-01-01', _to => '2026-12-31')
    report_listed(_from => '2026-01-01', _to => '2026-12-31')
    sum_sales(_from => '{2026-01-01}', _to => '{2026-01-31}')`,
  ),
  ...forDuty(
    "stock",
    `
    list_stock_movements(_book_id => :ordered_book)
    count_stock_movements(_book_id => :ordered_book)
    change_stock(_change_id => gen_random_uuid(), _book_id => :ordered_book, _copies => 1, _reason => 'found')
    begin_stock_count(_id => gen_random_uuid(), _name => 'Cambridge', _scope => 'publisher', _value => 'Cambridge University Press')
    scan_stock(_id => gen_random_uuid(), _count_id => :count, _book_id => :book)
    mark_none_found(_count_id => :count)
    recount_stock(_count_id => :count)
    book_stock_count(_count_id => :count, _differences => 0)
    discard_stock_count(_count_id => :count)
    list_stock_counts()
    count_stock_counts()
    list_stock_count_books(_count_id => :count)
    count_stock_count_books(_count_id => :count)
    list_suppliers()
    save_supplier(_id => gen_random_uuid(), _name => 'Sedco Publishing')
    remove_supplier(_id => :unused_supplier)
    admin_count_purchase_orders()
    admin_list_purchase_orders()
    admin_find_purchase_order(_id => :purchase)
    create_purchase_order(_id => gen_random_uuid(), _supplier_id => :supplier)
    update_purchase_order(_id => :purchase, _version => :purchase_version, _lines => '[]')
    send_purchase_order(_id => :purchase, _version => :purchase_version)
    cancel_purchase_order(_id => :purchase, _version => :purchase_version)
    list_purchase_needs(_from => '2026-09-15', _to => '2026-12-17')
    list_purchase_emails(_id => :purchase)
    list_receipts()
    book_receipt(_id => gen_random_uuid(), _lines => '[{"book_id": "00000000-0000-4000-8000-0000000000b0", "copies": 1, "damaged": 0}]')
    undo_receipt(_id => :receipt)`,
  ),
  ...forDuty(
    "payments",
    `
    find_payable_order(_number => :number)
    admin_find_payments()
    list_payment_people()
    admin_sum_payments()
    list_closings(_day => '2026-02-03')
    match_statement(_method => 'bank_transfer', _lines => '[{"amount": 5, "day": "2026-02-03", "narration": "order 1001"}]')
    close_day(_id => gen_random_uuid(), _day => '2026-02-03', _method => 'bank_transfer', _expected => 0, _counted => 0)
    admin_count_payments_to_decide()
    admin_list_payments(_order_id => :delivered)
    record_payment(_payment_id => gen_random_uuid(), _order_id => :order, _kind => 'payment', _method => 'cash', _amount => 5, _paid_on => '2026-01-01')
    correct_payment(_payment_id => :payment, _note => 'Counted twice')
    decide_payment(_payment_id => :doubtful_payment, _decision => 'set_aside', _note => 'Given back')`,
  ),
  ...forDuty(
    "events",
    `
    admin_list_events()
    admin_list_registrations(_event_id => :event)
    add_event_registration(_id => gen_random_uuid(), _event_id => :event, _name => 'A caller', _phone => '0201234567')
    drop_event_registration(_id => :registration)
    save_event(_id => gen_random_uuid(), _title => 'A training', _kind => 'training', _place => 'Osu', _starts_at => :soon, _ends_at => :later, _places => 5)
    set_event_state(_id => :draft_event, _state => 'published', _updated_at => :draft_event_version)
    count_event_subscribers()`,
  ),
  ...forDuty("events+exports", "admin_list_registrations(_event_id => :event, _page_size => 1000)"),
  ...forDuty(
    "events+deletions",
    `
    delete_event(_id => :draft_event)`,
  ),
  ...forDuty(
    "people+deletions",
    `
    anonymise_customer(_user_id => :stranger)
    anonymise_caller(_who => 'caller@home.example')
    preview_anonymising(_user_id => :customer)
    merge_people(_from => :stranger, _into => :customer, _dry_run => false)`,
  ),
  ...forDuty(
    "catalogue+deletions",
    `
    restore_book(_audit_id => :gone_book)
    restore_publisher(_audit_id => :gone_publisher)`,
  ),
  ...forDuty("catalogue", "list_digital(_book_id => :book)"),
  ...forDuty(
    "catalogue",
    `
    add_digital_file(_id => gen_random_uuid(), _book_id => :book, _name => 'A.pdf', _type => 'application/pdf', _size => 1, _pieces => 1, _sha256 => 'ab')
    add_licence_codes(_book_id => :book, _codes => array['A-1'])
    withdraw_free_codes(_book_id => :book)`,
    "not_digital",
  ),
  ...forDuty("catalogue", "remove_digital_file(_id => gen_random_uuid())", "file_not_found"),
  ...forDuty("catalogue+orders", "list_given_codes(_order_id => :order)"),
  ...forDuty(
    "orders+deletions",
    `
    restore_order(_order_id => :gone_order)`,
  ),
  ...forDuty(
    "reviews+deletions",
    `
    restore_review(_audit_id => :gone_review)`,
  ),
  ...forDuty(
    "settings+deletions",
    `
    clear_demo()`,
  ),
  ...forDuty(
    "payments+refunds",
    `
    refund_payment(_refund_id => gen_random_uuid(), _payment_id => :online_payment, _amount => 1)`,
  ),
  ...forDuty(
    "orders+people",
    `
    place_order_for(_order_id => gen_random_uuid(), _customer_id => :stranger, _book_ids => array[:other_book]::uuid[], _quantities => array[1], _total => 20, _order => '{"shipping_address": "5 Castle Road", "recipient_name": "A teacher", "recipient_email": "teacher@school.example", "recipient_phone": "+233201234567"}')`,
  ),
  // More than was paid: the check of the duty comes first.
  ...forDuty(
    "payments+refunds",
    "keep_overpayment(_order_id => :delivered, _amount => 9999, _reason => 'Kept for the next order')",
    "more_than_owed_back",
  ),
  ...forDuty(
    "payments+refunds",
    "record_payment(_payment_id => gen_random_uuid(), _order_id => :delivered, _kind => 'refund', _method => 'cash', _amount => 9999, _paid_on => '2026-01-01')",
    "more_than_paid",
  ),
  ...forDuty(
    "people+exports",
    `
    admin_list_users(_page_size => 1000)`,
  ),
  ...forDuty(
    "payments+exports",
    `
    admin_find_payments(_page_size => 1000)`,
  ),
  // The import that it creates would refuse the others too, but not before it has looked at what they sent.
  ...forDuty("catalogue", "stage_price_change(_percent => 0, _round_to => 1)", "invalid_field"),
  // The import's prices are in cedis.
  ...forDuty(
    "catalogue",
    `stage_new_rates(_import_id => :import, _conversion => '{"rates": {"GBP": 10}, "percent": 0, "round_to": 1}')`,
    "no_list",
  ),
  // Of a purchase order, unlike the others.
  ...forDuty("stock", "resend_email(_email_id => :purchase_email)"),
  // The purchase order is a draft.
  ...forDuty(
    "stock",
    "email_purchase_order(_id => :purchase, _version => :purchase_version)",
    "purchase_order_not_sent",
  ),
  // What it calls would refuse the others too, but not before it has looked at what they sent.
  ...forDuty("stock", "draft_needed_purchases(_id => gen_random_uuid(), _lines => '[]')", "invalid_lines"),
  // The same of record_payment.
  ...forDuty(
    "payments",
    "record_statement(_statement_id => gen_random_uuid(), _method => 'barter', _payments => '[]')",
    "invalid_field",
  ),
  ...functions("no yes yes yes yes yes", "list_order_payments(_order_ids => array[:order]::uuid[])"),
  ...functions("no yes yes yes yes yes", "list_order_titles(_order_ids => array[:order]::uuid[])"),
  ...forDuty(
    "payments",
    'record_statement(_statement_id => gen_random_uuid(), _method => \'bank_transfer\', _payments => \'[{"order_id": "00000000-0000-4000-8000-0000000000b1", "amount": 5, "paid_on": "2026-02-03"}]\')',
    "payments_refused",
  ),
  ...functions("no no no no no order_not_delivered", "close_account(_user_id => :customer)"),
  ...functions(
    "no yes yes yes yes no",
    `
    own_second_step()
    list_own_sessions()
    end_own_session(_id => gen_random_uuid())`,
  ),
  ...forDuty(
    "admin",
    `
    people_with_second_step(_ids => array[:customer]::uuid[])
    list_sessions_of(_user_id => :customer)
    end_session_of(_user_id => :customer, _id => gen_random_uuid())
    remove_second_step(_user_id => :customer)`,
  ),
  ...functions(
    "no no no no no yes",
    `
    count_open_work()
    claim_email()
    record_sent_email(_email_id => :email)
    record_failed_email(_email_id => :email, _lease => :email, _reason => 'No answer')
    return_email(_email_id => :email, _lease => :email)
    queue_low_stock_email()
    demand_salt()
    count_demand(_salt => 'another month', _seen => '[]')
    open_payment(_order_id => :order)
    note_checkout(_payment_id => :payment, _checkout_url => 'https://pay.example/1')
    settle_payment(_reference => '1-0000000000000001', _outcome => 'pending')
    settle_refund(_reference => '1-0000000000000001', _refund_id => gen_random_uuid(), _provider_id => '7', _amount => 1, _outcome => 'pending')
    claim_payment_check()
    find_payment(_reference => '1-0000000000000001')
    find_download(_token => 'unknown')
    list_spare_pieces()
    forget_old_orders()
    forget_old_registrations()
    forget_old_consultations()
    forget_old_tickets()`,
  ),
];

const words = (text: string) => text.trim().split(/\s+/);

/**
 * Functions of the schema private, which the API does not expose. They are executed inside of policies, triggers and
 * public functions, with the rights of the person whose request it is or of the owner.
 */
export const privateFunctions = {
  everybody: words(`
    applied_migrations copies_for_sale is_open_date state_condition bare_code book_card book_code book_conditions book_facets_query book_order book_page book_page_query book_patterns book_place clean_line clean_text text_condition contains_pattern count_book_ratings counting_conditions few_books few_books_query find_booklist fold title_key has_a_duty has_duty is_admin isbn13 isbn13_of_code isbn_digits isbn_keys isbns plain_code setting_rules without_marks written_isbn matching_books named_editions ordered_books_query sorted_columns
    best_matches best_page_query book_sample books_with_all books_with_most closest_words corrected_terms estimate_books meant_text nearest_books search_form search_terms sorted_letters split_word terms_score typed_words plain_terms begins_pattern has_other_words other_word typed_isbn without_s word_forms words_condition words_pattern words_query words_score words_vector
    suggest_books_query typed_terms nearly_suggested_query
    request_consultation
    list_events find_event register_for_event find_event_link find_linked_quote cancel_event_registration subscribe_to_events confirm_event_subscription unsubscribe_from_events
    is_on_its_way isbn_key level_of list_book_reviews phone_pattern refuse require_choice require_number require_pesewas require_text search_booklists search_books_query search_key shop_has_demo stage_of text_share`),
  signedInAndKey: words(`
    admin_list_payments admin_count_payments_to_decide correct_payment decide_payment keep_overpayment record_payment refund_payment
    check_sales read_sales_check report_sales report_sales_over_time report_margins report_stock_value read_book_cost report_owed report_takings report_unsold report_wanted report_demand report_demand_over_time report_wished report_listed todays_work sum_sales resend_unsent_emails list_waiting_emails stop_emails list_stock_movements count_stock_movements change_stock change_book begin_stock_count scan_stock mark_none_found recount_stock book_stock_count discard_stock_count list_stock_counts count_stock_counts list_stock_count_books count_stock_count_books admin_find_payments admin_sum_payments list_payment_people list_closings close_day
    change_order undo_order_change return_copies undo_return list_copies_to_return ship_copies undo_shipment list_shipments list_part_sent list_copies_to_send
    find_payable_order match_statement record_statement
    admin_list_consultations admin_count_consultations admin_find_consultation answer_consultation date_consultation cancel_consultation_date close_consultation reopen_consultation
    admin_list_events admin_list_registrations add_event_registration drop_event_registration save_event set_event_state delete_event count_event_subscribers
    list_suppliers save_supplier remove_supplier admin_count_purchase_orders admin_list_purchase_orders admin_find_purchase_order create_purchase_order update_purchase_order send_purchase_order cancel_purchase_order list_purchase_needs draft_needed_purchases email_purchase_order list_purchase_emails list_receipts book_receipt undo_receipt
    people_with_second_step list_sessions_of end_session_of remove_second_step
    list_digital add_digital_file remove_digital_file add_licence_codes withdraw_free_codes list_given_codes has_digital_access is_piece_in_use admits_piece
    admin_find_person add_person_note correct_person request_email_change withdraw_email_change merge_people
    add_order_note change_duties issue_invoice list_order_actors order_timeline place_order_for set_back_statuses set_order_statuses try_order_statuses
    find_changed_delivery_fee
    clean_order order_statuses order_texts delivery_fee delivery_methods fits_shelves word_text payment_state owed_back digital_address is_digital_address is_delivery phone written_phone regions require_delivery
    add_books_to_cart admin_count_booklists admin_list_booklist_sales admin_list_booklists admin_read_booklist chosen_booklist_lines
    copy_booklist delete_booklist import_booklists note_booklist_additions save_booklist set_booklist_status
    admin_count_audit admin_count_books count_kinds admin_count_orders admin_count_quotes admin_count_reviews admin_count_users admin_list_audit
    admin_list_books export_books admin_list_unsent_emails admin_count_unsent_emails admin_list_order_lines admin_list_orders admin_list_quotes admin_find_quote admin_list_reviews admin_list_users admits_cover anonymise_caller anonymise_customer preview_anonymising apply_book_import
    book_kinds sale_states book_texts clear_demo count_publisher_books list_publisher_spellings merge_publisher_spellings order_publishers restore_publisher save_publisher create_book_import dashboard_stats is_email is_phone is_staff list_publisher_statistics list_rows_left_out low_stock moderate_review preview_book_import require_contact require_staff resend_email restore_book restore_order restore_review
    return_to_stock stage_book_import_rows stage_price_change stage_new_rates update_settings count_old_orders terms_version begin_quote create_quote_link stop_quote_links send_quote summarise_book_import undo_book_import update_quote withdraw_quote`),
  signedIn: words(
    "own_downloads start_download own_second_step list_own_sessions end_own_session accept_quote claim_quote decline_quote delete_own_review find_own_quote find_own_review list_own_consultations list_own_quotes own_data report_review request_quote request_stock_alert write_review",
  ),
  key: words(`
    close_account forget_old_consultations forget_old_orders forget_old_registrations claim_email queue_low_stock_email record_failed_email record_sent_email return_email
    count_open_work find_download list_spare_pieces forget_old_tickets demand_salt count_demand claim_payment_check find_payment note_checkout open_payment settle_payment settle_refund`),
  nobody: words(`
    left_words unlimited_copies piece_bytes digital_types file_of_piece keep_given_code digital_titles is_digital_in_use keep_digital_stock refuse_digital set_digital_stock lock_digital
    codes_given settle_digital download_times download_hours digital_access has_order_access
    return_reasons copies_returned sum_returns copies_to_return move_returned_copies log_return lines_to_return write_return lock_order_with_stock take_reopened_copies what_was_reopened undo_reopening was_cancelled_when_sent keep_returned_order
    copies_sent is_part_sent has_earlier_parcel had_all_sent undo_closing_shipment redo_closing_shipment copies_to_send shipment_lines_as_json log_shipment queue_shipment_emails queue_undone_shipment_emails told_at is_held return_unsent_copies keep_sent_order email_shipment step_back_of
    cost_of_copies move_costs email_payment keep_paid_order keep_payment keep_unknown_payment lock_order_payments payment_check payment_problem queue_payment_emails
    duties require_a_duty require_duty second_step_missing guard_second_step_setting guard_notice_address
    name_words number_in_reference order_numbers_in phone_keys require_statement_lines require_statement_method
    received refundable_amount require_payment require_payment_order require_refundable require_settled_orders
    find_payment_sum is_same_phone keep_payment_sum orders_of orders_of_caller orders_to_forget orders_of_person newest_of_person require_admin_for_staff require_forgettable has_own_accounts lock_account merged_into confirmed_email require_mergeable doubled_reviews doubled_alerts doubled_registrations doubled_subscriptions cart_to_move wishes_to_move plan_merge move_event_contact move_to_account forget_customer scrub_orders step_back word_step_back refuse_steps_back sum_payments
    order_lines_as_json changed_order_as_json lock_open_order write_order_lines insert_order order_columns order_text_names personal_order_texts shipment_texts read_shipment read_order typed_of_order require_delivery_fee order_delivery_fee set_delivery_fees unsent_emails
    keep_book_words keep_changed_book_words keep_new_book_words set_search_words
    before_order_changes after_order_changes status_changes is_open forget_order_sums write_audit count_new_order count_changed_order count_order count_sales counted_sales fold_sales fold_sales_now_and_then follow_line_sales follow_new_line_sales
    demand_text demand_threshold require_demand shown_demand changed_price converted_price payment_conditions report_keys no_key require_period require_report sales_of sales_pieces sales_rows copies_sold is_receipt_booked sums_of_changes wrong_sales
    count_tallies fold_tallies fold_tallies_now_and_then forget_tallies tally tally_books tally_changed_book tally_order tally_orders tally_row
    marked_fields marks_of
    end_email_change quotes_of quotes_of_caller scrub_quotes quote_as_sent new_quote_link opens_quote read_quote_contact is_digital_quote quote_books_total quote_delivery_fee quote_delivery_method quoted_delivery_fee require_quote_delivery read_quote_delivery changed_delivery_fee
    check_quote_total fill_order limit_quotes lock_open_quote lock_quote next_yearly_number quote_conditions quote_lines_as_json quote_status
    read_quote_lines require_quote_version stamp_quote today
    booklist_changes booklist_class_key booklist_code booklist_conditions booklist_conditions_of booklist_lines booklists_named edition_in edition_in_stock edition_of lock_booklist new_booklist_code newer_edition
    plan_booklist plan_booklist_line read_booklist_line read_booklist_lines with_booklist_line_ids require_booklist_lines require_school_year title_without_edition
    archive_stock audit_conditions bare_order_number book_columns bound_list books_meant bump_catalogue_version check_book check_cart_line check_new_order check_profile check_role
    create_profile drop_archived_stock email_audience email_kinds email_topic email_lease email_order email_problem email_role email_quote email_stock email_content fill_new_order find_deleted first_name_of name_letters passes_as_shop reader_name set_shop_name give_up_old_emails follow_email follow_reviews follow_sign_up follow_status require_not_kept queue_role_emails record_role status_before was_stopped limit_kept_amount import_problems is_copy_too_many is_new_customer insert_books insert_review keep_an_admin
    has_nothing_to_say has_ordered keep_as_written limit_orders limit_reviews lock_own_review lock_book_import lock_book_imports lock_books lock_stock move_locked_stock move_order_stock move_stock order_conditions ordered_paging paging
    as_uuid write_order_statuses pass_over_known_line plan_book_import usual_prices weigh_import_rows oddity_level queue_email queue_emails queue_order_emails queue_role_writes queue_status_emails status_email_seconds rate_book read_import_row record_audit refers_to_found found_by_text contains_condition book_list_conditions queue_stock_writes record_order_event
    record_stock_movement replace_roles require_book_import require_conversion require_rounding require_no_unfinished_import return_deleted_order review_conditions scrub settle_book_columns stamp_updated_at
    lock_publisher_books lock_publishers publisher_key read_publisher read_publisher_title rename_publisher_books
    email_event email_stock_alert queue_stock_alerts use_up_stock_alert
    complete_older_rows expose
    term_sales_from need_periods email_purchase purchase_email_event lock_purchase_order follow_received read_receipt_lines purchase_conditions read_purchase_lines stamp_purchase_order
    apply_changed_setting apply_setting checked_delivery_fee checked_school_term checked_search_words checked_setting checked_setting_text checked_tax refuse_setting is_web_address is_picture_address set_first_settings set_own_settings
    forget_orders_after_years old_orders publish_terms names_in_terms setting_at seller_at setting_in_terms settings_in_terms words_of_terms
    update_books user_conditions without_import fields_changed_since explain_stock_change end_stock_explanation
    event_places_left lock_event registration_answer read_registration add_registration limit_registrations fill_event_places cancel_registration hash_token new_event_link
    limit_consultations require_plain_email mailbox_key phone_key consultation_answers_as_json consultations_of_contact consultations_of consultation_conditions lock_consultation lock_open_consultation email_consultation
    event_as_json email_registration email_subscription queue_event_announcement queue_event_news event_slug forget_registrations_after_days forget_event_contact own_event_data
    count_again_above lock_stock_count require_open_count add_stock_scan scanned_book needs_second_count first_titles stock_count_conditions`),
};

/** Sequences that a role may use, beyond what identity columns do by themselves. */
export const sequences: Record<string, string> = {
  "private.catalogue_versions": "anon SELECT, authenticated SELECT, service_role SELECT",
};

/** Buckets, and their files as rows of storage.objects. Looking at a file of a public bucket by its address needs no right. */
export const buckets = [
  {
    id: "book-covers",
    settings: { public: true, file_size_limit: 5_242_880, allowed_mime_types: ["image/jpeg"] },
  },
  {
    id: "digital-files",
    settings: {
      public: false,
      file_size_limit: 4_194_304,
      allowed_mime_types: [
        "application/pdf",
        "application/epub+zip",
        "application/zip",
        "audio/mpeg",
        "audio/mp4",
        "video/mp4",
        "application/octet-stream",
      ],
    },
  },
];

export const bucketTables: TableRights[] = [
  table(
    "storage.objects",
    "bucket_id = 'book-covers' and name = 'cover.jpg'",
    { bucket_id: "'book-covers'", name: "'new.jpg'" },
    `
    select                      none  none  none  none  yes   yes [catalogue]
    insert bucket_id,name       policy policy policy policy yes yes [catalogue]
    update name                 none  none  none  none  yes   yes [catalogue]
    delete                      none  none  none  none  yes   yes [catalogue]`,
  ),
  table(
    "storage.objects",
    "bucket_id = 'book-covers' and name = 'event-picture-1764200000001.jpg'",
    { bucket_id: "'book-covers'", name: "'event-picture-1764200000002.jpg'" },
    `
    select                      none  none  none  none  yes   yes [events]
    insert bucket_id,name       policy policy policy policy yes yes [events]
    update name                 none  none  none  none  yes   yes [events]
    delete                      none  none  none  none  yes   yes [events]`,
  ),
  table(
    "storage.objects",
    "bucket_id = 'digital-files'",
    { bucket_id: "'digital-files'", name: "'00000000-0000-4000-8000-0000000000d1/0002'" },
    `
    select                      none  none  none  none  yes   yes [catalogue]
    insert bucket_id,name       policy policy policy policy yes yes [catalogue]
    update name                 none  none  none  none  yes   yes [catalogue]
    delete                      none  none  none  none  yes   yes [catalogue]`,
  ),
  table(
    "storage.buckets",
    "id = 'book-covers'",
    { id: "'another'", name: "'another'" },
    `
    select                      none  none  none  none  none  yes
    insert id,name              policy policy policy policy policy yes
    update name                 none  none  none  none  none  yes
    delete                      none  none  none  none  none  23503`,
  ),
];
