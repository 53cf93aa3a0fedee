import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { type Answers, readAnswers } from "./people.ts";

/*
 * Who may do what, for everything that the data API and the storage can reach. The tests ask the database each of these
 * questions, tests/rights/rights.md is printed from here (npm run rights), and what the database has beyond it fails the gate.
 * ":name" is a row of the test data (see world.ts).
 */

export type Operation = "select" | "insert" | "update" | "delete";

export type Right = {
  operation: Operation;
  /** The columns of an insert or update; "*" for all that no other line of the table names; null where it makes no sense. */
  columns: string[] | "*" | null;
  answers: Answers;
};

export type TableRights = {
  name: string;
  /** Which row is asked about: the customer's own; for shop-wide tables any. */
  row: string;
  /** SQL values for inserts and updates, by column; an update without one sets the column to itself. */
  values: Record<string, string>;
  rights: Right[];
};

export type FunctionRights = { name: string; call: string; answers: Answers };

/** A table's lines: operation, columns where there are some, six answers. */
function table(name: string, row: string, values: Record<string, string>, lines: string): TableRights {
  const rights = lines
    .trim()
    .split("\n")
    .map((line): Right => {
      const words = line.trim().split(/\s+/);
      const answers = readAnswers(words.slice(-6));
      const [operation = "", columns, ...more] = words.slice(0, -6);
      if (!["select", "insert", "update", "delete"].includes(operation) || more.length > 0)
        throw new Error(`Not understood: ${line}`);
      return {
        operation: operation as Operation,
        columns: columns === undefined ? null : columns === "*" ? "*" : columns.split(","),
        answers,
      };
    });
  return { name, row, values, rights };
}

const bookColumns = bookFieldNames.join(",");

/** Answers in this order: visitor, customer (own row), another customer, moderator, admin, secret key. */
export const tables: TableRights[] = [
  table(
    "books",
    "id = :book",
    { id: "gen_random_uuid()", title: "'A title'", price: "12.5", stock_quantity: "3" },
    `
    select                      yes   yes   yes   yes   yes   yes
    insert id,${bookColumns}    no    policy policy policy yes yes
    insert *                    no    no    no    no    no    no
    update ${bookColumns}       no    none  none  none  yes   yes
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   yes`,
  ),
  table(
    "publishers",
    "id = :publisher",
    {},
    `
    select                      yes   yes   yes   yes   yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   yes`,
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
    select                      no    yes   none  none  yes   yes
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
    select                      no    yes   none  none  yes   yes
    insert id,user_id,total_amount,status,shipping_address,recipient_name,recipient_email,recipient_phone,region,landmark,digital_address,delivery_method,bus_station,delivery_note,customer_reference,delivery_fee no yes order_not_yours order_not_yours order_not_yours no
    insert *                    no    no    no    no    no    no
    update status               no    yes   none  none  yes   no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   no`,
  ),
  table(
    "order_items",
    "order_id = :order",
    { order_id: ":order", book_id: ":ordered_book", quantity: "2", price: "30" },
    `
    select                      no    yes   none  none  yes   yes
    insert order_id,book_id,quantity,price no none order_item_refused order_item_refused order_item_refused no
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  none  no`,
  ),
  readByStaff("order_events", "order_id = :delivered"),
  readByStaff("order_notes", "order_id = :order"),
  readByStaff("stock_movements", "book_id = :ordered_book"),
  readByStaff("audit_log", "id = :gone_book"),
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
    select                      none  none  none  none  yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  table(
    "reviews",
    "id = :review",
    {},
    `
    select                      no    none  none  none  yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    none  none  none  yes   no`,
  ),
  readByStaff("book_imports", "id = :import"),
  readByStaff("book_import_rows", "import_id = :import"),
  readByStaff("booklists", "id = :booklist"),
  readByStaff("booklist_lines", "booklist_id = :booklist"),
  table(
    "invoices",
    "order_id = :order",
    {},
    `
    select                      no    yes   none  none  yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  ),
  readByStaff("outgoing_emails", "order_id = :order"),
  readOnceSent("payments", "id = :payment"),
  readOnceSent("quotes", "id = :offer"),
  readOnceSent("quote_lines", "quote_id = :offer"),
];

/** What functions write, and the customer reads, a quote once it has been sent. */
function readOnceSent(name: string, row: string): TableRights {
  return table(
    name,
    row,
    {},
    `
    select                      no    yes   none  none  yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  );
}

/** What functions and triggers alone write, and staff read. */
function readByStaff(name: string, row: string): TableRights {
  return table(
    name,
    row,
    {},
    `
    select                      no    none  none  none  yes   yes
    insert *                    no    no    no    no    no    no
    update *                    no    no    no    no    no    no
    delete                      no    no    no    no    no    no`,
  );
}

/** Functions of one kind: each line is a call. */
function functions(answers: string, calls: string): FunctionRights[] {
  const read = readAnswers(answers.split(" "));
  return calls
    .trim()
    .split("\n")
    .map((line) => {
      const call = line.trim();
      return { name: call.slice(0, call.indexOf("(")), call, answers: read };
    });
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
    list_settings()
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
    own_data()
    find_own_review(_book_id => :book)
    delete_own_review(_book_id => :book)
    report_review(_review_id => :review)
    request_stock_alert(_book_id => :sold_out_book)
    find_own_quote(_quote_id => :offer)`,
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
    order_timeline(_order_id => :order)`,
  ),
  ...functions("no yes order_not_found order_not_found yes yes", "issue_invoice(_order_id => :delivered)"),
  ...functions(
    "no yes order_not_found order_not_found order_not_found no",
    "order_again(_order_id => :order)",
  ),
  ...functions(
    "no admin_only admin_only admin_only yes yes",
    `
    admin_count_audit()
    admin_count_booklists()
    admin_count_books()
    admin_count_orders()
    admin_count_quotes()
    admin_count_reviews()
    admin_count_users()
    admin_list_audit()
    admin_list_booklist_sales(_id => :booklist)
    admin_list_booklists()
    admin_list_books()
    admin_list_orders()
    admin_list_quotes()
    admin_find_quote(_quote_id => :quote)
    admin_list_reviews()
    admin_list_users()
    admin_list_order_lines(_order_ids => array[:order]::uuid[])
    admin_read_booklist(_id => :booklist)
    copy_booklist(_id => :booklist, _school_year => '2027/2028')
    delete_booklist(_id => :draft, _updated_at => :draft_version)
    import_booklists(_lists => '[]')
    save_booklist(_school => 'A school', _class_name => 'Class 1', _school_year => '2026/2027', _lines => '[]')
    set_booklist_status(_id => :booklist, _updated_at => :booklist_version, _status => 'withdrawn')
    dashboard_stats()
    update_settings(_values => '{"lowStock": 5}', _seen => :seen_settings)
    count_old_orders(_years => 3)
    create_book_import(_file_name => 'books.csv')
    stage_book_import_rows(_import_id => :import, _rows => '[{"line": 3, "title": "Staged"}]')
    preview_book_import(_import_id => :import)
    summarise_book_import(_import_id => :import)
    list_rows_left_out(_import_id => :import)
    apply_book_import(_import_id => :import)
    undo_book_import(_import_id => :applied_import)
    return_to_stock(_order_id => :order)
    set_order_statuses(_order_ids => array[:order]::uuid[], _shown => array['pending'], _status => 'processing')
    add_order_note(_note_id => gen_random_uuid(), _order_id => :order, _body => 'Called twice')
    place_order_for(_order_id => gen_random_uuid(), _customer_id => :stranger, _book_ids => array[:other_book]::uuid[], _quantities => array[1], _total => 20, _order => '{"shipping_address": "5 Castle Road", "recipient_name": "A teacher", "recipient_email": "teacher@school.example", "recipient_phone": "+233201234567"}')
    update_quote(_quote_id => :quote, _version => 1, _lines => '[{"book_id": "00000000-0000-4000-8000-0000000000b0", "quantity": 1, "unit_price": 40}]')
    send_quote(_quote_id => :quote, _version => 1)
    withdraw_quote(_quote_id => :quote, _version => 1)
    restore_book(_audit_id => :gone_book)
    restore_order(_order_id => :gone_order)
    restore_review(_audit_id => :gone_review)
    moderate_review(_review_id => :review, _hidden => 'true')
    anonymise_customer(_user_id => :customer)
    anonymise_caller(_who => 'caller@home.example')
    clear_demo()
    count_publisher_books()
    list_publisher_spellings(_publisher_id => :publisher)
    merge_publisher_spellings(_publisher_id => :publisher, _spellings => array['C.G.P.'], _dry_run => false)
    order_publishers(_ids => array(select id from public.publishers))
    save_publisher(_id => gen_random_uuid(), _publisher => '{"name": "Adom", "slug": "adom"}')
    restore_publisher(_audit_id => :gone_publisher)
    resend_email(_email_id => :email)
    admin_list_unsent_emails()
    admin_count_unsent_emails()
    admin_count_payments_to_decide()
    admin_list_payments(_order_id => :delivered)
    record_payment(_payment_id => gen_random_uuid(), _order_id => :order, _kind => 'payment', _method => 'cash', _amount => 5, _paid_on => '2026-01-01')
    correct_payment(_payment_id => :payment, _note => 'Counted twice')
    decide_payment(_payment_id => :doubtful_payment, _decision => 'set_aside', _note => 'Given back')
    refund_payment(_refund_id => gen_random_uuid(), _payment_id => :online_payment, _amount => 1)`,
  ),
  ...functions("no yes yes yes yes yes", "list_order_payments(_order_ids => array[:order]::uuid[])"),
  ...functions("no no no no no order_not_delivered", "close_account(_user_id => :customer)"),
  ...functions(
    "no no no no no yes",
    `
    claim_email()
    record_sent_email(_email_id => :email)
    record_failed_email(_email_id => :email, _lease => :email, _reason => 'No answer')
    queue_low_stock_email()
    open_payment(_order_id => :order)
    note_checkout(_payment_id => :payment, _checkout_url => 'https://pay.example/1')
    settle_payment(_reference => '1-0000000000000001', _outcome => 'pending')
    settle_refund(_reference => '1-0000000000000001', _refund_id => gen_random_uuid(), _provider_id => '7', _amount => 1, _outcome => 'pending')
    claim_payment_check()
    find_payment(_reference => '1-0000000000000001')`,
  ),
];

const words = (text: string) => text.trim().split(/\s+/);

/**
 * Functions of the schema private, which the API does not expose. They are executed inside of policies, triggers and
 * public functions, with the rights of the person whose request it is or of the owner.
 */
export const privateFunctions = {
  everybody: words(`
    applied_migrations book_card book_code book_conditions book_facets_query book_order book_page book_page_query book_patterns book_place clean_line clean_text text_condition contains_pattern count_book_ratings counting_conditions few_books few_books_query find_booklist fold is_admin isbn13 setting_rules matching_books ordered_books_query sorted_columns
    best_matches best_page_query book_sample books_with_all books_with_most closest_words corrected_terms estimate_books meant_text nearest_books search_form search_terms sorted_letters split_word terms_score typed_words plain_terms begins_pattern typed_isbn without_s word_forms words_condition words_pattern words_query words_score words_vector
    suggest_books_query
    isbn_key level_of list_book_reviews phone_pattern refuse require_number require_pesewas require_text search_booklists search_books_query search_key shop_has_demo stage_of text_share`),
  signedInAndKey: words(`
    admin_list_payments admin_count_payments_to_decide correct_payment decide_payment record_payment refund_payment
    add_order_note issue_invoice order_timeline place_order_for set_order_statuses
    clean_order order_texts delivery_fee delivery_methods fits_shelves word_text payment_state digital_address is_delivery regions require_delivery
    add_books_to_cart admin_count_booklists admin_list_booklist_sales admin_list_booklists admin_read_booklist chosen_booklist_lines
    copy_booklist delete_booklist import_booklists note_booklist_additions save_booklist set_booklist_status
    admin_count_audit admin_count_books admin_count_orders admin_count_quotes admin_count_reviews admin_count_users admin_list_audit
    admin_list_books admin_list_unsent_emails admin_count_unsent_emails admin_list_order_lines admin_list_orders admin_list_quotes admin_find_quote admin_list_reviews admin_list_users admits_cover anonymise_caller anonymise_customer apply_book_import
    book_texts clear_demo count_publisher_books list_publisher_spellings merge_publisher_spellings order_publishers restore_publisher save_publisher create_book_import dashboard_stats is_email is_phone is_staff list_publisher_statistics list_rows_left_out low_stock moderate_review preview_book_import require_contact require_staff resend_email restore_book restore_order restore_review
    return_to_stock stage_book_import_rows update_settings count_old_orders terms_version send_quote summarise_book_import undo_book_import update_quote withdraw_quote`),
  signedIn: words(
    "accept_quote decline_quote delete_own_review find_own_quote find_own_review list_own_quotes own_data report_review request_quote request_stock_alert write_review",
  ),
  key: words(`
    close_account forget_old_orders claim_email queue_low_stock_email record_failed_email record_sent_email
    claim_payment_check find_payment note_checkout open_payment settle_payment settle_refund`),
  nobody: words(`
    email_payment keep_paid_order keep_payment keep_unknown_payment lock_order_payments payment_check payment_problem queue_payment_emails
    received refundable_amount require_payment require_payment_order require_refundable
    find_payment_sum is_same_phone keep_payment_sum orders_of scrub_orders sum_payments
    insert_order order_columns order_text_names read_order typed_of_order require_delivery_fee set_delivery_fees unsent_emails
    keep_book_words keep_changed_book_words keep_new_book_words set_search_words
    count_tallies fold_tallies fold_tallies_now_and_then forget_tallies tally tally_books tally_changed_book tally_order tally_orders tally_row
    check_quote_total fill_order limit_quotes lock_open_quote lock_quote next_yearly_number quote_conditions quote_lines_as_json quote_status
    read_quote_lines require_quote_version stamp_quote today
    booklist_changes booklist_class_key booklist_code booklist_conditions booklist_conditions_of booklist_lines booklists_named edition_in edition_in_stock edition_of lock_booklist new_booklist_code newer_edition
    plan_booklist plan_booklist_line read_booklist_line read_booklist_lines with_booklist_line_ids require_booklist_lines require_school_year title_without_edition
    archive_stock audit_conditions bare_order_number book_columns bound_list books_meant bump_catalogue_version check_book check_cart_line check_new_order check_profile check_role
    create_profile drop_archived_stock email_audience email_kinds email_topic email_lease email_order email_problem email_quote email_stock fill_new_order find_deleted first_name_of name_letters passes_as_shop reader_name set_shop_name give_up_old_emails follow_email follow_reviews follow_sign_up follow_status import_problems is_copy_too_many is_new_customer insert_books insert_review keep_an_admin
    has_nothing_to_say has_ordered keep_as_written limit_orders limit_reviews lock_own_review lock_book_import lock_book_imports lock_books lock_stock move_locked_stock move_order_stock move_stock order_conditions ordered_paging paging
    pass_over_known_line plan_book_import queue_email queue_emails queue_new_order_emails queue_order_emails queue_role_writes queue_status_emails rate_book read_import_row record_audit refers_to_found found_by_text contains_condition book_list_conditions queue_stock_writes record_order_event
    record_stock_movement replace_roles require_book_import require_no_unfinished_import return_deleted_order review_conditions scrub settle_book_columns stamp_updated_at
    lock_publisher_books lock_publishers publisher_key read_publisher read_publisher_title rename_publisher_books
    email_event email_stock_alert queue_stock_alerts use_up_stock_alert
    complete_older_rows expose
    apply_changed_setting apply_setting checked_delivery_fee checked_search_words checked_setting checked_setting_text checked_tax refuse_setting set_first_settings set_own_settings
    forget_orders_after_years old_orders publish_terms
    update_books user_conditions without_import`),
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
];

export const bucketTables: TableRights[] = [
  table(
    "storage.objects",
    "bucket_id = 'book-covers' and name = 'cover.jpg'",
    { bucket_id: "'book-covers'", name: "'new.jpg'" },
    `
    select                      none  none  none  none  yes   yes
    insert bucket_id,name       policy policy policy policy yes yes
    update name                 none  none  none  none  yes   yes
    delete                      none  none  none  none  yes   yes`,
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
