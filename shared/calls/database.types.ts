export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  // Allows to automatically instantiate createClient with right options
  // instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)
  __InternalSupabase: {
    PostgrestVersion: "14"
  }
  public: {
    Tables: {
      audit_log: {
        Row: {
          action: string
          actor: string | null
          after: Json | null
          before: Json | null
          happened_at: string
          id: number
          row_id: string
          table_name: string
          titles: string | null
          transaction_id: number
        }
        Insert: {
          action: string
          actor?: string | null
          after?: Json | null
          before?: Json | null
          happened_at?: string
          id?: never
          row_id: string
          table_name: string
          titles?: never
          transaction_id?: number
        }
        Update: {
          action?: string
          actor?: string | null
          after?: Json | null
          before?: Json | null
          happened_at?: string
          id?: never
          row_id?: string
          table_name?: string
          titles?: never
          transaction_id?: number
        }
        Relationships: []
      }
      book_import_rows: {
        Row: {
          action: string | null
          after: Json | null
          before: Json | null
          book_id: string | null
          cells: Json | null
          fields: NonNullable<Json>
          given_id: string | null
          import_id: string
          isbn_key: string | null
          isbn_problem: string | null
          kept: string | null
          kept_fields: string[] | null
          line: number
          not_a_book: boolean
          problems: string[]
          source_currency: string | null
          source_price: number | null
        }
        Insert: {
          action?: string | null
          after?: Json | null
          before?: Json | null
          book_id?: string | null
          cells?: Json | null
          fields: NonNullable<Json>
          given_id?: string | null
          import_id: string
          isbn_key?: string | null
          isbn_problem?: string | null
          kept?: string | null
          kept_fields?: string[] | null
          line: number
          not_a_book?: boolean
          problems?: string[]
          source_currency?: string | null
          source_price?: number | null
        }
        Update: {
          action?: string | null
          after?: Json | null
          before?: Json | null
          book_id?: string | null
          cells?: Json | null
          fields?: NonNullable<Json>
          given_id?: string | null
          import_id?: string
          isbn_key?: string | null
          isbn_problem?: string | null
          kept?: string | null
          kept_fields?: string[] | null
          line?: number
          not_a_book?: boolean
          problems?: string[]
          source_currency?: string | null
          source_price?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "book_import_rows_import_id_fkey"
            columns: ["import_id"]
            referencedRelation: "book_imports"
            referencedColumns: ["id"]
          },
        ]
      }
      book_imports: {
        Row: {
          actor: string | null
          added: number
          applied_at: string | null
          applied_line: number
          applied_rows: number
          conversion: Json | null
          created_at: string
          default_price: number | null
          default_publisher: string | null
          default_stock: number
          deleted: number
          file_name: string | null
          fingerprint: string | null
          headings: Json | null
          id: string
          kept: number
          not_books: number
          refused: number
          restored: number
          sets_stock: boolean
          source: string | null
          status: string
          total_rows: number
          unchanged: number
          undone_at: string | null
          updated: number
        }
        Insert: {
          actor?: string | null
          added?: number
          applied_at?: string | null
          applied_line?: number
          applied_rows?: number
          conversion?: Json | null
          created_at?: string
          default_price?: number | null
          default_publisher?: string | null
          default_stock?: number
          deleted?: number
          file_name?: string | null
          fingerprint?: string | null
          headings?: Json | null
          id?: string
          kept?: number
          not_books?: number
          refused?: number
          restored?: number
          sets_stock?: boolean
          source?: string | null
          status?: string
          total_rows?: number
          unchanged?: number
          undone_at?: string | null
          updated?: number
        }
        Update: {
          actor?: string | null
          added?: number
          applied_at?: string | null
          applied_line?: number
          applied_rows?: number
          conversion?: Json | null
          created_at?: string
          default_price?: number | null
          default_publisher?: string | null
          default_stock?: number
          deleted?: number
          file_name?: string | null
          fingerprint?: string | null
          headings?: Json | null
          id?: string
          kept?: number
          not_books?: number
          refused?: number
          restored?: number
          sets_stock?: boolean
          source?: string | null
          status?: string
          total_rows?: number
          unchanged?: number
          undone_at?: string | null
          updated?: number
        }
        Relationships: []
      }
      booklist_lines: {
        Row: {
          book_id: string | null
          booklist_id: string
          copies: number
          id: string
          is_required: boolean
          note: string | null
          position: number
          title: string
        }
        Insert: {
          book_id?: string | null
          booklist_id: string
          copies?: number
          id?: string
          is_required?: boolean
          note?: string | null
          position: number
          title: string
        }
        Update: {
          book_id?: string | null
          booklist_id?: string
          copies?: number
          id?: string
          is_required?: boolean
          note?: string | null
          position?: number
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "booklist_lines_booklist_id_fkey"
            columns: ["booklist_id"]
            referencedRelation: "booklists"
            referencedColumns: ["id"]
          },
        ]
      }
      booklists: {
        Row: {
          class_key: string | null
          class_name: string
          code: string
          created_at: string
          id: string
          introduction: string | null
          is_listed: boolean
          pupils: number | null
          school: string
          school_key: string | null
          school_year: string
          search_text: string | null
          status: string
          updated_at: string
          word_text: string | null
        }
        Insert: {
          class_key?: never
          class_name: string
          code?: string
          created_at?: string
          id?: string
          introduction?: string | null
          is_listed?: boolean
          pupils?: number | null
          school: string
          school_key?: never
          school_year: string
          search_text?: never
          status?: string
          updated_at?: string
          word_text?: never
        }
        Update: {
          class_key?: never
          class_name?: string
          code?: string
          created_at?: string
          id?: string
          introduction?: string | null
          is_listed?: boolean
          pupils?: number | null
          school?: string
          school_key?: never
          school_year?: string
          search_text?: never
          status?: string
          updated_at?: string
          word_text?: never
        }
        Relationships: []
      }
      books: {
        Row: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }
        Insert: {
          age_range?: string | null
          authors?: string | null
          available_on?: string | null
          average_rating?: number | null
          course?: string | null
          created_at?: string
          curriculum_type?: string | null
          description?: string | null
          digital_by?: string | null
          edition?: string | null
          for_sale?: never
          grade_level?: string | null
          id?: string
          image_url?: string | null
          isbn?: string | null
          isbn_key?: never
          isbn13?: never
          kind?: string
          newer_isbn?: string | null
          price: number
          publisher?: string | null
          review_count?: number
          sale_state?: string
          search_text?: never
          shelf?: string | null
          stock_quantity?: number
          subject?: string | null
          title: string
          title_key?: never
          updated_at?: string
          word_text?: never
        }
        Update: {
          age_range?: string | null
          authors?: string | null
          available_on?: string | null
          average_rating?: number | null
          course?: string | null
          created_at?: string
          curriculum_type?: string | null
          description?: string | null
          digital_by?: string | null
          edition?: string | null
          for_sale?: never
          grade_level?: string | null
          id?: string
          image_url?: string | null
          isbn?: string | null
          isbn_key?: never
          isbn13?: never
          kind?: string
          newer_isbn?: string | null
          price?: number
          publisher?: string | null
          review_count?: number
          sale_state?: string
          search_text?: never
          shelf?: string | null
          stock_quantity?: number
          subject?: string | null
          title?: string
          title_key?: never
          updated_at?: string
          word_text?: never
        }
        Relationships: []
      }
      cart_items: {
        Row: {
          book_id: string
          created_at: string
          id: string
          quantity: number
          user_id: string
        }
        Insert: {
          book_id: string
          created_at?: string
          id?: string
          quantity?: number
          user_id: string
        }
        Update: {
          book_id?: string
          created_at?: string
          id?: string
          quantity?: number
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "cart_items_book_id_fkey"
            columns: ["book_id"]
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "cart_items_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      closings: {
        Row: {
          actor: string | null
          counted: number
          created_at: string
          day: string
          expected: number
          id: string
          method: string
          note: string | null
        }
        Insert: {
          actor?: string | null
          counted: number
          created_at?: string
          day: string
          expected: number
          id: string
          method: string
          note?: string | null
        }
        Update: {
          actor?: string | null
          counted?: number
          created_at?: string
          day?: string
          expected?: number
          id?: string
          method?: string
          note?: string | null
        }
        Relationships: []
      }
      consultation_answers: {
        Row: {
          actor: string | null
          body: string
          consultation_id: string
          created_at: string
          id: string
        }
        Insert: {
          actor?: string | null
          body: string
          consultation_id: string
          created_at?: string
          id?: string
        }
        Update: {
          actor?: string | null
          body?: string
          consultation_id?: string
          created_at?: string
          id?: string
        }
        Relationships: [
          {
            foreignKeyName: "consultation_answers_consultation_id_fkey"
            columns: ["consultation_id"]
            referencedRelation: "consultations"
            referencedColumns: ["id"]
          },
        ]
      }
      consultations: {
        Row: {
          about: string
          answered_at: string | null
          cancelled_in_calendars: boolean
          cancelled_meets_at: string | null
          classes: string | null
          closed_at: string | null
          created_at: string
          email: string | null
          email_key: string | null
          id: string
          institution: string | null
          meeting_place: string | null
          meets_at: string | null
          meets_how: string | null
          name: string
          phone: string | null
          phone_key: string | null
          revision: number
          search_text: string | null
          staff_note: string | null
          status: string
          subject: string | null
          updated_at: string
          user_id: string | null
          version: number
          wished_days: string | null
        }
        Insert: {
          about: string
          answered_at?: string | null
          cancelled_in_calendars?: boolean
          cancelled_meets_at?: string | null
          classes?: string | null
          closed_at?: string | null
          created_at?: string
          email?: string | null
          email_key?: never
          id?: string
          institution?: string | null
          meeting_place?: string | null
          meets_at?: string | null
          meets_how?: string | null
          name: string
          phone?: string | null
          phone_key?: never
          revision?: number
          search_text?: never
          staff_note?: string | null
          status?: never
          subject?: string | null
          updated_at?: string
          user_id?: string | null
          version?: number
          wished_days?: string | null
        }
        Update: {
          about?: string
          answered_at?: string | null
          cancelled_in_calendars?: boolean
          cancelled_meets_at?: string | null
          classes?: string | null
          closed_at?: string | null
          created_at?: string
          email?: string | null
          email_key?: never
          id?: string
          institution?: string | null
          meeting_place?: string | null
          meets_at?: string | null
          meets_how?: string | null
          name?: string
          phone?: string | null
          phone_key?: never
          revision?: number
          search_text?: never
          staff_note?: string | null
          status?: never
          subject?: string | null
          updated_at?: string
          user_id?: string | null
          version?: number
          wished_days?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "consultations_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      event_registrations: {
        Row: {
          by_staff: boolean
          cancelled_at: string | null
          contact_key: string | null
          created_at: string
          email: string | null
          event_id: string
          id: string
          institution: string | null
          name: string
          name_key: string | null
          number: number
          phone: string | null
          promoted_at: string | null
          state: string
        }
        Insert: {
          by_staff?: boolean
          cancelled_at?: string | null
          contact_key?: never
          created_at?: string
          email?: string | null
          event_id: string
          id?: string
          institution?: string | null
          name: string
          name_key?: never
          number?: never
          phone?: string | null
          promoted_at?: string | null
          state: string
        }
        Update: {
          by_staff?: boolean
          cancelled_at?: string | null
          contact_key?: never
          created_at?: string
          email?: string | null
          event_id?: string
          id?: string
          institution?: string | null
          name?: string
          name_key?: never
          number?: never
          phone?: string | null
          promoted_at?: string | null
          state?: string
        }
        Relationships: [
          {
            foreignKeyName: "event_registrations_event_id_fkey"
            columns: ["event_id"]
            referencedRelation: "events"
            referencedColumns: ["id"]
          },
        ]
      }
      event_subscribers: {
        Row: {
          confirmed_at: string | null
          email: string
          email_key: string | null
          id: string
          requested_at: string
          requests: number
        }
        Insert: {
          confirmed_at?: string | null
          email: string
          email_key?: never
          id?: string
          requested_at?: string
          requests?: number
        }
        Update: {
          confirmed_at?: string | null
          email?: string
          email_key?: never
          id?: string
          requested_at?: string
          requests?: number
        }
        Relationships: []
      }
      events: {
        Row: {
          created_at: string
          description: string | null
          ends_at: string
          id: string
          is_online: boolean
          join_link: string | null
          kind: string
          past_registrations: number
          picture: string | null
          place: string
          places: number
          price: number
          published_at: string | null
          revision: number
          slug: string
          starts_at: string
          state: string
          title: string
          updated_at: string
        }
        Insert: {
          created_at?: string
          description?: string | null
          ends_at: string
          id?: string
          is_online?: boolean
          join_link?: string | null
          kind: string
          past_registrations?: number
          picture?: string | null
          place: string
          places: number
          price?: number
          published_at?: string | null
          revision?: number
          slug: string
          starts_at: string
          state?: string
          title: string
          updated_at?: string
        }
        Update: {
          created_at?: string
          description?: string | null
          ends_at?: string
          id?: string
          is_online?: boolean
          join_link?: string | null
          kind?: string
          past_registrations?: number
          picture?: string | null
          place?: string
          places?: number
          price?: number
          published_at?: string | null
          revision?: number
          slug?: string
          starts_at?: string
          state?: string
          title?: string
          updated_at?: string
        }
        Relationships: []
      }
      invoices: {
        Row: {
          issued_at: string
          number: number
          order_id: string
          reference: string | null
          year: number
        }
        Insert: {
          issued_at?: string
          number: number
          order_id: string
          reference?: never
          year: number
        }
        Update: {
          issued_at?: string
          number?: number
          order_id?: string
          reference?: never
          year?: number
        }
        Relationships: []
      }
      order_events: {
        Row: {
          actor: string | null
          created_at: string
          from_status: string
          id: number
          order_id: string
          reopened: Json | null
          to_status: string
        }
        Insert: {
          actor?: string | null
          created_at?: string
          from_status: string
          id?: never
          order_id: string
          reopened?: Json | null
          to_status: string
        }
        Update: {
          actor?: string | null
          created_at?: string
          from_status?: string
          id?: never
          order_id?: string
          reopened?: Json | null
          to_status?: string
        }
        Relationships: []
      }
      order_items: {
        Row: {
          book_id: string | null
          id: string
          isbn: string | null
          kind: string
          order_id: string
          price: number
          publisher: string | null
          quantity: number
          sold_book_id: string | null
          title: string
        }
        Insert: {
          book_id?: string | null
          id?: string
          isbn?: string | null
          kind?: string
          order_id: string
          price: number
          publisher?: string | null
          quantity: number
          sold_book_id?: string | null
          title: string
        }
        Update: {
          book_id?: string | null
          id?: string
          isbn?: string | null
          kind?: string
          order_id?: string
          price?: number
          publisher?: string | null
          quantity?: number
          sold_book_id?: string | null
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "order_items_book_id_fkey"
            columns: ["book_id"]
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "order_items_order_id_fkey"
            columns: ["order_id"]
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
        ]
      }
      order_notes: {
        Row: {
          actor: string | null
          body: string | null
          created_at: string
          id: string
          order_id: string
        }
        Insert: {
          actor?: string | null
          body?: string | null
          created_at?: string
          id?: string
          order_id: string
        }
        Update: {
          actor?: string | null
          body?: string | null
          created_at?: string
          id?: string
          order_id?: string
        }
        Relationships: []
      }
      order_return_lines: {
        Row: {
          book_id: string | null
          copies: number
          order_item_id: string
          refund: number
          resalable: boolean
          return_id: string
          title: string
        }
        Insert: {
          book_id?: string | null
          copies: number
          order_item_id: string
          refund: number
          resalable: boolean
          return_id: string
          title: string
        }
        Update: {
          book_id?: string | null
          copies?: number
          order_item_id?: string
          refund?: number
          resalable?: boolean
          return_id?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "order_return_lines_return_id_fkey"
            columns: ["return_id"]
            referencedRelation: "order_returns"
            referencedColumns: ["id"]
          },
        ]
      }
      order_returns: {
        Row: {
          actor: string | null
          created_at: string
          id: string
          note: string | null
          of_cancelled: boolean
          order_id: string
          reason: string
          undone_at: string | null
          undone_by: string | null
        }
        Insert: {
          actor?: string | null
          created_at?: string
          id: string
          note?: string | null
          of_cancelled: boolean
          order_id: string
          reason: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Update: {
          actor?: string | null
          created_at?: string
          id?: string
          note?: string | null
          of_cancelled?: boolean
          order_id?: string
          reason?: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "order_returns_order_id_fkey"
            columns: ["order_id"]
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
        ]
      }
      order_shipment_lines: {
        Row: {
          copies: number
          order_item_id: string
          shipment_id: string
          title: string
        }
        Insert: {
          copies: number
          order_item_id: string
          shipment_id: string
          title: string
        }
        Update: {
          copies?: number
          order_item_id?: string
          shipment_id?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "order_shipment_lines_shipment_id_fkey"
            columns: ["shipment_id"]
            referencedRelation: "order_shipments"
            referencedColumns: ["id"]
          },
        ]
      }
      order_shipments: {
        Row: {
          actor: string | null
          carrier: string | null
          closing_event: number | null
          created_at: string
          driver_phone: string | null
          id: string
          order_id: string
          parcel_number: string | null
          undone_at: string | null
          undone_by: string | null
        }
        Insert: {
          actor?: string | null
          carrier?: string | null
          closing_event?: number | null
          created_at?: string
          driver_phone?: string | null
          id: string
          order_id: string
          parcel_number?: string | null
          undone_at?: string | null
          undone_by?: string | null
        }
        Update: {
          actor?: string | null
          carrier?: string | null
          closing_event?: number | null
          created_at?: string
          driver_phone?: string | null
          id?: string
          order_id?: string
          parcel_number?: string | null
          undone_at?: string | null
          undone_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "order_shipments_order_id_fkey"
            columns: ["order_id"]
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
        ]
      }
      orders: {
        Row: {
          bus_station: string | null
          carrier: string | null
          created_at: string
          customer_reference: string | null
          delivery_fee: number
          delivery_method: string
          delivery_note: string | null
          digital_address: string | null
          driver_phone: string | null
          has_undecided_payment: boolean
          id: string
          kept_amount: number
          landmark: string | null
          number: number
          owed_back: number
          paid_amount: number
          parcel_number: string | null
          payment_state: string
          recipient_email: string | null
          recipient_name: string | null
          recipient_phone: string | null
          region: string | null
          returned_amount: number
          search_text: string | null
          shipping_address: string | null
          status: string
          stock_held: boolean
          terms_version: number | null
          total_amount: number
          updated_at: string
          user_id: string | null
        }
        Insert: {
          bus_station?: string | null
          carrier?: string | null
          created_at?: string
          customer_reference?: string | null
          delivery_fee?: number
          delivery_method?: string
          delivery_note?: string | null
          digital_address?: string | null
          driver_phone?: string | null
          has_undecided_payment?: boolean
          id?: string
          kept_amount?: number
          landmark?: string | null
          number?: never
          owed_back?: never
          paid_amount?: number
          parcel_number?: string | null
          payment_state?: never
          recipient_email?: string | null
          recipient_name?: string | null
          recipient_phone?: string | null
          region?: string | null
          returned_amount?: number
          search_text?: never
          shipping_address?: string | null
          status?: string
          stock_held?: boolean
          terms_version?: number | null
          total_amount: number
          updated_at?: string
          user_id?: string | null
        }
        Update: {
          bus_station?: string | null
          carrier?: string | null
          created_at?: string
          customer_reference?: string | null
          delivery_fee?: number
          delivery_method?: string
          delivery_note?: string | null
          digital_address?: string | null
          driver_phone?: string | null
          has_undecided_payment?: boolean
          id?: string
          kept_amount?: number
          landmark?: string | null
          number?: never
          owed_back?: never
          paid_amount?: number
          parcel_number?: string | null
          payment_state?: never
          recipient_email?: string | null
          recipient_name?: string | null
          recipient_phone?: string | null
          region?: string | null
          returned_amount?: number
          search_text?: never
          shipping_address?: string | null
          status?: string
          stock_held?: boolean
          terms_version?: number | null
          total_amount?: number
          updated_at?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "orders_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      outgoing_emails: {
        Row: {
          attempts: number
          created_at: string
          due_at: string
          event: string | null
          from_status: string | null
          id: string
          kind: string
          lease: string | null
          mailbox: string | null
          order_id: string | null
          reason: string | null
          resend_of: string | null
          settled_at: string | null
          state: string
          status: string | null
        }
        Insert: {
          attempts?: number
          created_at?: string
          due_at?: string
          event?: string | null
          from_status?: string | null
          id?: string
          kind: string
          lease?: string | null
          mailbox?: string | null
          order_id?: string | null
          reason?: string | null
          resend_of?: string | null
          settled_at?: string | null
          state?: string
          status?: string | null
        }
        Update: {
          attempts?: number
          created_at?: string
          due_at?: string
          event?: string | null
          from_status?: string | null
          id?: string
          kind?: string
          lease?: string | null
          mailbox?: string | null
          order_id?: string | null
          reason?: string | null
          resend_of?: string | null
          settled_at?: string | null
          state?: string
          status?: string | null
        }
        Relationships: []
      }
      payments: {
        Row: {
          about: string | null
          actor: string | null
          amount: number
          check_at: string | null
          checkout_url: string | null
          created_at: string
          currency: string
          decided_by: string | null
          id: string
          kind: string
          method: string
          note: string | null
          order_id: string | null
          order_number: number | null
          paid_on: string | null
          provider_id: string | null
          reason: string | null
          received_amount: number | null
          received_currency: string | null
          reference: string | null
          settled_at: string | null
          state: string
          user_id: string | null
        }
        Insert: {
          about?: string | null
          actor?: string | null
          amount: number
          check_at?: string | null
          checkout_url?: string | null
          created_at?: string
          currency?: string
          decided_by?: string | null
          id?: string
          kind: string
          method: string
          note?: string | null
          order_id?: string | null
          order_number?: number | null
          paid_on?: string | null
          provider_id?: string | null
          reason?: string | null
          received_amount?: number | null
          received_currency?: string | null
          reference?: string | null
          settled_at?: string | null
          state: string
          user_id?: string | null
        }
        Update: {
          about?: string | null
          actor?: string | null
          amount?: number
          check_at?: string | null
          checkout_url?: string | null
          created_at?: string
          currency?: string
          decided_by?: string | null
          id?: string
          kind?: string
          method?: string
          note?: string | null
          order_id?: string | null
          order_number?: number | null
          paid_on?: string | null
          provider_id?: string | null
          reason?: string | null
          received_amount?: number | null
          received_currency?: string | null
          reference?: string | null
          settled_at?: string | null
          state?: string
          user_id?: string | null
        }
        Relationships: []
      }
      profiles: {
        Row: {
          address: string | null
          bus_station: string | null
          city: string | null
          created_at: string
          delivery_method: string | null
          digital_address: string | null
          email: string | null
          full_name: string | null
          id: string
          landmark: string | null
          phone: string | null
          postal_code: string | null
          region: string | null
          search_text: string | null
          terms_version: number | null
        }
        Insert: {
          address?: string | null
          bus_station?: string | null
          city?: string | null
          created_at?: string
          delivery_method?: string | null
          digital_address?: string | null
          email?: string | null
          full_name?: string | null
          id: string
          landmark?: string | null
          phone?: string | null
          postal_code?: string | null
          region?: string | null
          search_text?: never
          terms_version?: number | null
        }
        Update: {
          address?: string | null
          bus_station?: string | null
          city?: string | null
          created_at?: string
          delivery_method?: string | null
          digital_address?: string | null
          email?: string | null
          full_name?: string | null
          id?: string
          landmark?: string | null
          phone?: string | null
          postal_code?: string | null
          region?: string | null
          search_text?: never
          terms_version?: number | null
        }
        Relationships: []
      }
      publishers: {
        Row: {
          created_at: string
          description: string | null
          has_order_links: boolean
          id: string
          in_filter: boolean
          known_for: string[]
          logo_url: string | null
          mark: number
          name: string
          name_key: string | null
          note: string | null
          page: string
          position: number
          shown: string
          slug: string
          titles: NonNullable<Json>
          updated_at: string
        }
        Insert: {
          created_at?: string
          description?: string | null
          has_order_links?: boolean
          id?: string
          in_filter?: boolean
          known_for?: string[]
          logo_url?: string | null
          mark?: number
          name: string
          name_key?: never
          note?: string | null
          page?: string
          position: number
          shown?: string
          slug: string
          titles?: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          created_at?: string
          description?: string | null
          has_order_links?: boolean
          id?: string
          in_filter?: boolean
          known_for?: string[]
          logo_url?: string | null
          mark?: number
          name?: string
          name_key?: never
          note?: string | null
          page?: string
          position?: number
          shown?: string
          slug?: string
          titles?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: []
      }
      purchase_order_lines: {
        Row: {
          book_id: string
          copies: number
          cost: number | null
          discount: number
          id: string
          isbn: string | null
          line_cost: number | null
          list_price: number
          position: number
          publisher: string | null
          purchase_order_id: string
          received: number
          title: string
        }
        Insert: {
          book_id: string
          copies: number
          cost?: never
          discount: number
          id?: string
          isbn?: string | null
          line_cost?: never
          list_price: number
          position: number
          publisher?: string | null
          purchase_order_id: string
          received?: number
          title: string
        }
        Update: {
          book_id?: string
          copies?: number
          cost?: never
          discount?: number
          id?: string
          isbn?: string | null
          line_cost?: never
          list_price?: number
          position?: number
          publisher?: string | null
          purchase_order_id?: string
          received?: number
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "purchase_order_lines_purchase_order_id_fkey"
            columns: ["purchase_order_id"]
            referencedRelation: "purchase_orders"
            referencedColumns: ["id"]
          },
        ]
      }
      purchase_orders: {
        Row: {
          created_at: string
          currency: string
          id: string
          note: string | null
          number: number | null
          reference: string | null
          sent_at: string | null
          status: string
          supplier_id: string
          updated_at: string
          version: number
          year: number | null
        }
        Insert: {
          created_at?: string
          currency: string
          id: string
          note?: string | null
          number?: number | null
          reference?: never
          sent_at?: string | null
          status?: string
          supplier_id: string
          updated_at?: string
          version?: number
          year?: number | null
        }
        Update: {
          created_at?: string
          currency?: string
          id?: string
          note?: string | null
          number?: number | null
          reference?: never
          sent_at?: string | null
          status?: string
          supplier_id?: string
          updated_at?: string
          version?: number
          year?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "purchase_orders_supplier_id_fkey"
            columns: ["supplier_id"]
            referencedRelation: "suppliers"
            referencedColumns: ["id"]
          },
        ]
      }
      quote_lines: {
        Row: {
          book_id: string
          id: string
          isbn: string | null
          position: number
          publisher: string | null
          quantity: number
          quote_id: string
          requested: boolean
          shop_price: number
          title: string
          unit_price: number
        }
        Insert: {
          book_id: string
          id?: string
          isbn?: string | null
          position: number
          publisher?: string | null
          quantity: number
          quote_id: string
          requested?: boolean
          shop_price: number
          title: string
          unit_price: number
        }
        Update: {
          book_id?: string
          id?: string
          isbn?: string | null
          position?: number
          publisher?: string | null
          quantity?: number
          quote_id?: string
          requested?: boolean
          shop_price?: number
          title?: string
          unit_price?: number
        }
        Relationships: [
          {
            foreignKeyName: "quote_lines_quote_id_fkey"
            columns: ["quote_id"]
            referencedRelation: "quotes"
            referencedColumns: ["id"]
          },
        ]
      }
      quotes: {
        Row: {
          begun_by_staff: boolean
          claimed_at: string | null
          contact_email: string | null
          contact_name: string | null
          contact_phone: string | null
          created_at: string
          decided_at: string | null
          delivery_fee: number | null
          delivery_method: string
          delivery_pricing: string
          id: string
          institution: string | null
          message: string | null
          note: string | null
          number: number | null
          order_id: string | null
          purchase_order_number: string | null
          reference: string | null
          region: string | null
          search_text: string | null
          sent_at: string | null
          status: string
          updated_at: string
          user_id: string | null
          valid_until: string | null
          version: number
          year: number | null
        }
        Insert: {
          begun_by_staff?: boolean
          claimed_at?: string | null
          contact_email?: string | null
          contact_name?: string | null
          contact_phone?: string | null
          created_at?: string
          decided_at?: string | null
          delivery_fee?: number | null
          delivery_method?: string
          delivery_pricing?: string
          id?: string
          institution?: string | null
          message?: string | null
          note?: string | null
          number?: number | null
          order_id?: string | null
          purchase_order_number?: string | null
          reference?: never
          region?: string | null
          search_text?: never
          sent_at?: string | null
          status?: string
          updated_at?: string
          user_id?: string | null
          valid_until?: string | null
          version?: number
          year?: number | null
        }
        Update: {
          begun_by_staff?: boolean
          claimed_at?: string | null
          contact_email?: string | null
          contact_name?: string | null
          contact_phone?: string | null
          created_at?: string
          decided_at?: string | null
          delivery_fee?: number | null
          delivery_method?: string
          delivery_pricing?: string
          id?: string
          institution?: string | null
          message?: string | null
          note?: string | null
          number?: number | null
          order_id?: string | null
          purchase_order_number?: string | null
          reference?: never
          region?: string | null
          search_text?: never
          sent_at?: string | null
          status?: string
          updated_at?: string
          user_id?: string | null
          valid_until?: string | null
          version?: number
          year?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "quotes_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      receipt_lines: {
        Row: {
          book_id: string
          copies: number
          cost: number | null
          cost_cedis: number | null
          damaged: number
          expected: number | null
          id: number
          isbn: string | null
          movement_id: number | null
          receipt_id: string
          title: string
        }
        Insert: {
          book_id: string
          copies: number
          cost?: number | null
          cost_cedis?: number | null
          damaged: number
          expected?: number | null
          id?: never
          isbn?: string | null
          movement_id?: number | null
          receipt_id: string
          title: string
        }
        Update: {
          book_id?: string
          copies?: number
          cost?: number | null
          cost_cedis?: number | null
          damaged?: number
          expected?: number | null
          id?: never
          isbn?: string | null
          movement_id?: number | null
          receipt_id?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "receipt_lines_receipt_id_fkey"
            columns: ["receipt_id"]
            referencedRelation: "receipts"
            referencedColumns: ["id"]
          },
        ]
      }
      receipts: {
        Row: {
          actor: string | null
          created_at: string
          currency: string
          id: string
          note: string | null
          purchase_order_id: string | null
          rate: number
          undone_at: string | null
        }
        Insert: {
          actor?: string | null
          created_at?: string
          currency: string
          id: string
          note?: string | null
          purchase_order_id?: string | null
          rate: number
          undone_at?: string | null
        }
        Update: {
          actor?: string | null
          created_at?: string
          currency?: string
          id?: string
          note?: string | null
          purchase_order_id?: string | null
          rate?: number
          undone_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "receipts_purchase_order_id_fkey"
            columns: ["purchase_order_id"]
            referencedRelation: "purchase_orders"
            referencedColumns: ["id"]
          },
        ]
      }
      reviews: {
        Row: {
          book_id: string
          created_at: string
          hidden_at: string | null
          id: string
          rating: number
          review_text: string | null
          user_id: string
        }
        Insert: {
          book_id: string
          created_at?: string
          hidden_at?: string | null
          id?: string
          rating: number
          review_text?: string | null
          user_id: string
        }
        Update: {
          book_id?: string
          created_at?: string
          hidden_at?: string | null
          id?: string
          rating?: number
          review_text?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "reviews_book_id_fkey"
            columns: ["book_id"]
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "reviews_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      shop_settings: {
        Row: {
          id: string
          updated_at: string
          value: NonNullable<Json>
        }
        Insert: {
          id: string
          updated_at?: string
          value: NonNullable<Json>
        }
        Update: {
          id?: string
          updated_at?: string
          value?: NonNullable<Json>
        }
        Relationships: []
      }
      staff_duties: {
        Row: {
          created_at: string
          duty: string
          id: number
          user_id: string
        }
        Insert: {
          created_at?: string
          duty: string
          id?: never
          user_id: string
        }
        Update: {
          created_at?: string
          duty?: string
          id?: never
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "staff_duties_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      stock_alerts: {
        Row: {
          book_id: string
          created_at: string
          id: string
          is_new: boolean
          user_id: string
        }
        Insert: {
          book_id: string
          created_at?: string
          id?: string
          is_new?: boolean
          user_id: string
        }
        Update: {
          book_id?: string
          created_at?: string
          id?: string
          is_new?: boolean
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "stock_alerts_book_id_fkey"
            columns: ["book_id"]
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "stock_alerts_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      stock_count_books: {
        Row: {
          book_id: string
          count_id: string
          counted: number | null
          difference: number | null
          expected: number | null
          in_scope: boolean
          round: number
          scanned_at: string | null
          stock_high: number | null
          stock_low: number | null
        }
        Insert: {
          book_id: string
          count_id: string
          counted?: number | null
          difference?: never
          expected?: never
          in_scope: boolean
          round?: number
          scanned_at?: string | null
          stock_high?: number | null
          stock_low?: number | null
        }
        Update: {
          book_id?: string
          count_id?: string
          counted?: number | null
          difference?: never
          expected?: never
          in_scope?: boolean
          round?: number
          scanned_at?: string | null
          stock_high?: number | null
          stock_low?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "stock_count_books_count_exists"
            columns: ["count_id"]
            referencedRelation: "stock_counts"
            referencedColumns: ["id"]
          },
        ]
      }
      stock_counts: {
        Row: {
          actor: string | null
          closed_at: string | null
          closed_by: string | null
          created_at: string
          id: string
          name: string
          scope: string
          scope_value: string | null
          status: string
          unknown_codes: string[]
        }
        Insert: {
          actor?: string | null
          closed_at?: string | null
          closed_by?: string | null
          created_at?: string
          id: string
          name: string
          scope: string
          scope_value?: string | null
          status?: string
          unknown_codes?: string[]
        }
        Update: {
          actor?: string | null
          closed_at?: string | null
          closed_by?: string | null
          created_at?: string
          id?: string
          name?: string
          scope?: string
          scope_value?: string | null
          status?: string
          unknown_codes?: string[]
        }
        Relationships: []
      }
      stock_movements: {
        Row: {
          actor: string | null
          book_id: string
          change_id: string | null
          created_at: string
          id: number
          note: string | null
          order_id: string | null
          quantity: number
          reason: string
        }
        Insert: {
          actor?: string | null
          book_id: string
          change_id?: string | null
          created_at?: string
          id?: never
          note?: string | null
          order_id?: string | null
          quantity: number
          reason: string
        }
        Update: {
          actor?: string | null
          book_id?: string
          change_id?: string | null
          created_at?: string
          id?: never
          note?: string | null
          order_id?: string | null
          quantity?: number
          reason?: string
        }
        Relationships: []
      }
      stock_scans: {
        Row: {
          actor: string | null
          book_id: string
          copies: number
          count_id: string
          created_at: string
          id: string
          round: number
          stock: number
        }
        Insert: {
          actor?: string | null
          book_id: string
          copies: number
          count_id: string
          created_at?: string
          id: string
          round: number
          stock: number
        }
        Update: {
          actor?: string | null
          book_id?: string
          copies?: number
          count_id?: string
          created_at?: string
          id?: string
          round?: number
          stock?: number
        }
        Relationships: [
          {
            foreignKeyName: "stock_scans_book_is_in_count"
            columns: ["count_id", "book_id"]
            referencedRelation: "stock_count_books"
            referencedColumns: ["count_id", "book_id"]
          },
        ]
      }
      suppliers: {
        Row: {
          contact_name: string | null
          created_at: string
          currency: string
          delivery_days: number | null
          discount: number
          email: string | null
          hidden: boolean
          id: string
          name: string
          name_key: string | null
          phone: string | null
          terms: string | null
          updated_at: string
        }
        Insert: {
          contact_name?: string | null
          created_at?: string
          currency?: string
          delivery_days?: number | null
          discount?: number
          email?: string | null
          hidden?: boolean
          id?: string
          name: string
          name_key?: never
          phone?: string | null
          terms?: string | null
          updated_at?: string
        }
        Update: {
          contact_name?: string | null
          created_at?: string
          currency?: string
          delivery_days?: number | null
          discount?: number
          email?: string | null
          hidden?: boolean
          id?: string
          name?: string
          name_key?: never
          phone?: string | null
          terms?: string | null
          updated_at?: string
        }
        Relationships: []
      }
      terms_versions: {
        Row: {
          delivery_and_returns: string
          published_at: string
          settings: Json | null
          terms: string
          version: number
        }
        Insert: {
          delivery_and_returns?: string
          published_at?: string
          settings?: Json | null
          terms?: string
          version?: never
        }
        Update: {
          delivery_and_returns?: string
          published_at?: string
          settings?: Json | null
          terms?: string
          version?: never
        }
        Relationships: []
      }
      user_roles: {
        Row: {
          created_at: string
          id: number
          role: string
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: never
          role: string
          user_id: string
        }
        Update: {
          created_at?: string
          id?: never
          role?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_roles_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      wishlists: {
        Row: {
          book_id: string
          created_at: string
          id: string
          user_id: string
        }
        Insert: {
          book_id: string
          created_at?: string
          id?: string
          user_id: string
        }
        Update: {
          book_id?: string
          created_at?: string
          id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "wishlists_book_id_fkey"
            columns: ["book_id"]
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "wishlists_user_id_fkey"
            columns: ["user_id"]
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      accept_quote: {
        Args: {
          _order: Json
          _purchase_order_number: string
          _quote_id: string
          _total?: number
          _version: number
        }
        Returns: string
      }
      add_booklist_to_cart: {
        Args: {
          _children?: number
          _code: string
          _line_ids: string[]
          _request_id?: string
        }
        Returns: {
          added: number
          book_id: string
          line_id: string
          problem: string
          title: string
          wanted: number
        }[]
      }
      add_books_to_cart: {
        Args: {
          _book_ids: string[]
          _quantities: number[]
          _request_id?: string
        }
        Returns: {
          added: number
          book_id: string
          problem: string
          wanted: number
        }[]
      }
      add_digital_file: {
        Args: {
          _book_id: string
          _id: string
          _name: string
          _pieces: number
          _sha256: string
          _size: number
          _type: string
        }
        Returns: undefined
      }
      add_event_registration: {
        Args: {
          _email?: string
          _event_id: string
          _id: string
          _institution?: string
          _name: string
          _phone?: string
        }
        Returns: {
          state: string
          waiting_before: number
        }[]
      }
      add_licence_codes: {
        Args: { _book_id: string; _codes: string[] }
        Returns: Json
      }
      add_order_note: {
        Args: { _body: string; _note_id: string; _order_id: string }
        Returns: undefined
      }
      add_person_note: {
        Args: { _body: string; _note_id: string; _user_id: string }
        Returns: undefined
      }
      add_to_cart: {
        Args: { _book_id: string; _quantity?: number }
        Returns: {
          book_id: string
          created_at: string
          id: string
          quantity: number
          user_id: string
        }
        SetofOptions: {
          from: "*"
          to: "cart_items"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      admin_count_audit: {
        Args: { _actor?: string; _q?: string; _table_name?: string }
        Returns: number
      }
      admin_count_booklists: {
        Args: { _q?: string; _status?: string }
        Returns: number
      }
      admin_count_books: {
        Args: {
          _kind?: string
          _publisher?: string
          _q?: string
          _sale_state?: string
        }
        Returns: number
      }
      admin_count_consultations: {
        Args: { _q?: string; _status?: string }
        Returns: number
      }
      admin_count_orders: {
        Args: {
          _method?: string
          _payment?: string
          _q?: string
          _region?: string
          _status?: string
        }
        Returns: number
      }
      admin_count_payments_to_decide: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      admin_count_purchase_orders: {
        Args: { _q?: string; _status?: string }
        Returns: number
      }
      admin_count_quotes: {
        Args: { _q?: string; _status?: string }
        Returns: number
      }
      admin_count_reviews: {
        Args: { _q?: string; _rating?: number; _state?: string }
        Returns: number
      }
      admin_count_unsent_emails: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      admin_count_users: {
        Args: { _q?: string; _role?: string }
        Returns: number
      }
      admin_find_consultation: {
        Args: { _id: string }
        Returns: {
          about: string
          answers: Json
          classes: string
          closed_at: string
          created_at: string
          email: string
          has_account: boolean
          id: string
          institution: string
          meeting_place: string
          meets_at: string
          meets_how: string
          name: string
          phone: string
          staff_note: string
          status: string
          subject: string
          version: number
          wished_days: string
        }[]
      }
      admin_find_payments: {
        Args: {
          _by?: string
          _descending?: boolean
          _from?: string
          _kind?: string
          _method?: string
          _page?: number
          _page_size?: number
          _q?: string
          _state?: string
          _to?: string
        }
        Returns: {
          amount: number
          by_name: string
          created_at: string
          day: string
          id: string
          kind: string
          method: string
          note: string
          order_id: string
          order_number: number
          reason: string
          received_amount: number
          received_currency: string
          reference: string
          state: string
        }[]
      }
      admin_find_person: { Args: { _user_id: string }; Returns: Json }
      admin_find_purchase_order: {
        Args: { _id: string }
        Returns: {
          contact_name: string
          created_at: string
          currency: string
          discount: number
          email: string
          id: string
          lines: Json
          note: string
          phone: string
          reference: string
          sent_at: string
          shop: Json
          status: string
          supplier_name: string
          terms: string
          total: number
          version: number
        }[]
      }
      admin_find_quote: {
        Args: { _quote_id: string }
        Returns: {
          account_email: string
          begun_by_staff: boolean
          contact_email: string
          contact_name: string
          contact_phone: string
          created_at: string
          decided_at: string
          delivery_fee: number
          delivery_method: string
          delivery_pricing: string
          has_links: boolean
          id: string
          institution: string
          lines: Json
          message: string
          note: string
          order_id: string
          order_number: number
          purchase_order_number: string
          reference: string
          region: string
          sent_at: string
          status: string
          valid_until: string
          version: number
        }[]
      }
      admin_list_audit: {
        Args: {
          _actor?: string
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _sort?: string
          _table_name?: string
        }
        Returns: {
          action: string
          actor: string
          actor_email: string
          actor_name: string
          after: Json
          before: Json
          happened_at: string
          id: number
          restorable: boolean
          row_id: string
          table_name: string
        }[]
      }
      admin_list_booklist_sales: {
        Args: { _id: string }
        Returns: {
          amount: number
          copies: number
          line_id: string
          orders: number
        }[]
      }
      admin_list_booklists: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _sort?: string
          _status?: string
        }
        Returns: {
          class_name: string
          code: string
          created_at: string
          id: string
          is_listed: boolean
          lines: number
          school: string
          school_year: string
          status: string
          updated_at: string
        }[]
      }
      admin_list_books: {
        Args: {
          _descending?: boolean
          _kind?: string
          _page?: number
          _page_size?: number
          _publisher?: string
          _q?: string
          _sale_state?: string
          _sort?: string
        }
        Returns: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_list_consultations: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _sort?: string
          _status?: string
        }
        Returns: {
          about: string
          answers: number
          classes: string
          closed_at: string
          created_at: string
          email: string
          id: string
          institution: string
          meeting_place: string
          meets_at: string
          meets_how: string
          name: string
          phone: string
          staff_note: string
          status: string
          subject: string
          wished_days: string
        }[]
      }
      admin_list_events: {
        Args: { _page?: number; _page_size?: number }
        Returns: {
          cancelled: number
          description: string
          ends_at: string
          found: number
          id: string
          is_online: boolean
          is_over: boolean
          join_link: string
          kind: string
          past_registrations: number
          picture: string
          place: string
          places: number
          price: number
          registered: number
          slug: string
          starts_at: string
          state: string
          title: string
          updated_at: string
          waiting: number
        }[]
      }
      admin_list_order_lines: {
        Args: { _order_ids: string[] }
        Returns: {
          lines: Json
          order_id: string
        }[]
      }
      admin_list_orders: {
        Args: {
          _descending?: boolean
          _method?: string
          _page?: number
          _page_size?: number
          _payment?: string
          _q?: string
          _region?: string
          _sort?: string
          _status?: string
        }
        Returns: {
          bus_station: string | null
          carrier: string | null
          created_at: string
          customer_reference: string | null
          delivery_fee: number
          delivery_method: string
          delivery_note: string | null
          digital_address: string | null
          driver_phone: string | null
          has_undecided_payment: boolean
          id: string
          kept_amount: number
          landmark: string | null
          number: number
          owed_back: number
          paid_amount: number
          parcel_number: string | null
          payment_state: string
          recipient_email: string | null
          recipient_name: string | null
          recipient_phone: string | null
          region: string | null
          returned_amount: number
          search_text: string | null
          shipping_address: string | null
          status: string
          stock_held: boolean
          terms_version: number | null
          total_amount: number
          updated_at: string
          user_id: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "orders"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_list_payments: {
        Args: { _order_id?: string }
        Returns: {
          about: string
          amount: number
          by_name: string
          correctable: boolean
          created_at: string
          id: string
          kind: string
          method: string
          note: string
          order_id: string
          order_number: number
          paid_on: string
          reason: string
          received_amount: number
          received_currency: string
          reference: string
          refundable: number
          settled_at: string
          state: string
        }[]
      }
      admin_list_purchase_orders: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _sort?: string
          _status?: string
        }
        Returns: {
          copies: number
          created_at: string
          currency: string
          id: string
          reference: string
          sent_at: string
          status: string
          supplier_name: string
          total: number
        }[]
      }
      admin_list_quotes: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _sort?: string
          _status?: string
        }
        Returns: {
          begun_by_staff: boolean
          contact_email: string
          contact_name: string
          copies: number
          created_at: string
          id: string
          institution: string
          purchase_order_number: string
          reference: string
          status: string
          total: number
          valid_until: string
        }[]
      }
      admin_list_registrations: {
        Args: { _event_id: string; _page?: number; _page_size?: number }
        Returns: {
          by_staff: boolean
          cancelled_at: string
          created_at: string
          email: string
          found: number
          id: string
          institution: string
          name: string
          number: number
          phone: string
          promoted_at: string
          state: string
        }[]
      }
      admin_list_reviews: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _rating?: number
          _sort?: string
          _state?: string
        }
        Returns: {
          book_id: string
          book_publisher: string
          book_title: string
          created_at: string
          customer_email: string
          customer_name: string
          hidden_at: string
          id: string
          rating: number
          reports: number
          review_text: string
          user_id: string
        }[]
      }
      admin_list_unsent_emails: {
        Args: { _page?: number; _page_size?: number }
        Returns: {
          consultation_id: string
          due_at: string
          event_id: string
          event_title: string
          id: string
          kind: string
          order_id: string
          order_number: number
          purchase_order_id: string
          purchase_reference: string
          quote_id: string
          quote_reference: string
          reason: string
          settled_at: string
          state: string
          status: string
        }[]
      }
      admin_list_users: {
        Args: {
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _role?: string
          _sort?: string
        }
        Returns: {
          created_at: string
          email: string
          full_name: string
          id: string
          phone: string
          role: string
        }[]
      }
      admin_read_booklist: {
        Args: { _id: string }
        Returns: {
          class_name: string
          code: string
          created_at: string
          id: string
          introduction: string
          is_listed: boolean
          lines: Json
          pupils: number
          school: string
          school_year: string
          status: string
          updated_at: string
        }[]
      }
      admin_sum_payments: {
        Args: {
          _by?: string
          _from?: string
          _kind?: string
          _method?: string
          _q?: string
          _state?: string
          _to?: string
        }
        Returns: {
          found: number
          paid: number
          refunded: number
        }[]
      }
      anonymise_caller: {
        Args: { _who: string }
        Returns: {
          id: string
          number: number
        }[]
      }
      anonymise_customer: {
        Args: { _by?: string; _user_id: string }
        Returns: number
      }
      answer_consultation: {
        Args: {
          _answer_id: string
          _body: string
          _id: string
          _version: number
        }
        Returns: number
      }
      apply_book_import: {
        Args: { _import_id: string; _rows?: number; _skip_refused?: boolean }
        Returns: {
          actor: string | null
          added: number
          applied_at: string | null
          applied_line: number
          applied_rows: number
          conversion: Json | null
          created_at: string
          default_price: number | null
          default_publisher: string | null
          default_stock: number
          deleted: number
          file_name: string | null
          fingerprint: string | null
          headings: Json | null
          id: string
          kept: number
          not_books: number
          refused: number
          restored: number
          sets_stock: boolean
          source: string | null
          status: string
          total_rows: number
          unchanged: number
          undone_at: string | null
          updated: number
        }
        SetofOptions: {
          from: "*"
          to: "book_imports"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      begin_quote: {
        Args: {
          _contact_email: string
          _contact_name: string
          _contact_phone: string
          _copy_of?: string
          _institution: string
          _quote_id: string
          _user_id: string
        }
        Returns: string
      }
      begin_stock_count: {
        Args: {
          _codes?: string[]
          _id: string
          _name: string
          _scope: string
          _value?: string
        }
        Returns: undefined
      }
      book_receipt: {
        Args: {
          _currency?: string
          _id: string
          _lines: Json
          _note?: string
          _purchase_order_id?: string
          _rate?: number
          _version?: number
        }
        Returns: string
      }
      book_stock_count: {
        Args: { _count_id: string; _differences: number }
        Returns: number
      }
      cancel_consultation_date: {
        Args: { _id: string; _version: number }
        Returns: number
      }
      cancel_event_registration: { Args: { _token: string }; Returns: boolean }
      cancel_purchase_order: {
        Args: { _id: string; _version: number }
        Returns: undefined
      }
      catalogue_page: {
        Args: {
          _columns: string[]
          _search: Database["public"]["CompositeTypes"]["book_search"]
          _with_facets?: boolean
          _with_total?: boolean
        }
        Returns: Json
      }
      catalogue_version: { Args: Record<PropertyKey, never>; Returns: number }
      change_book: {
        Args: {
          _book: Json
          _book_id: string
          _note?: string
          _reason: string
          _updated_at: string
        }
        Returns: boolean
      }
      change_duties: {
        Args: { _give?: string[]; _take?: string[]; _user_id: string }
        Returns: string[]
      }
      change_order: {
        Args: {
          _book_ids: string[]
          _order_id: string
          _quantities: number[]
          _total: number
          _updated_at: string
        }
        Returns: undefined
      }
      change_stock: {
        Args: {
          _book_id: string
          _change_id: string
          _copies: number
          _note?: string
          _reason: string
        }
        Returns: number
      }
      check_sales: { Args: Record<PropertyKey, never>; Returns: number }
      claim_email: { Args: Record<PropertyKey, never>; Returns: Json }
      claim_payment_check: { Args: Record<PropertyKey, never>; Returns: Json }
      claim_quote: {
        Args: { _quote_id: string; _token: string }
        Returns: undefined
      }
      clear_demo: {
        Args: { _dry_run?: boolean }
        Returns: {
          booklists: number
          books: number
          kept_books: number
          kept_publishers: number
          open_orders: number
          orders: number
          publishers: number
          reviewers: number
          reviews: number
        }[]
      }
      close_account: { Args: { _user_id: string }; Returns: number }
      close_consultation: {
        Args: { _id: string; _note?: string; _version: number }
        Returns: number
      }
      close_day: {
        Args: {
          _counted: number
          _day: string
          _expected: number
          _id: string
          _method: string
          _note?: string
        }
        Returns: undefined
      }
      confirm_event_subscription: { Args: { _token: string }; Returns: boolean }
      copy_booklist: {
        Args: { _id: string; _school_year: string }
        Returns: {
          class_key: string | null
          class_name: string
          code: string
          created_at: string
          id: string
          introduction: string | null
          is_listed: boolean
          pupils: number | null
          school: string
          school_key: string | null
          school_year: string
          search_text: string | null
          status: string
          updated_at: string
          word_text: string | null
        }
        SetofOptions: {
          from: "*"
          to: "booklists"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      correct_payment: {
        Args: { _note: string; _payment_id: string }
        Returns: string
      }
      correct_person: {
        Args: {
          _full_name?: string
          _phone?: string
          _seen_name?: string
          _seen_phone?: string
          _user_id: string
        }
        Returns: undefined
      }
      count_book_ratings: {
        Args: { _book_id: string }
        Returns: {
          rating: number
          reviews: number
        }[]
      }
      count_books: {
        Args: { _search?: Database["public"]["CompositeTypes"]["book_search"] }
        Returns: number
      }
      count_demand: {
        Args: { _salt: string; _seen: string }
        Returns: undefined
      }
      count_event_subscribers: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      count_kinds: {
        Args: Record<PropertyKey, never>
        Returns: {
          kind: string
          titles: number
        }[]
      }
      count_old_orders: { Args: { _years: number }; Returns: number }
      count_open_work: {
        Args: Record<PropertyKey, never>
        Returns: {
          email_waits: number
          emails_unsent: number
          emails_waiting: number
          payments_to_decide: number
        }[]
      }
      count_publisher_books: {
        Args: Record<PropertyKey, never>
        Returns: {
          books: number
          publisher_id: string
        }[]
      }
      count_stock_count_books: {
        Args: { _count_id: string; _q?: string; _show?: string }
        Returns: number
      }
      count_stock_counts: { Args: Record<PropertyKey, never>; Returns: number }
      count_stock_movements: {
        Args: { _book_id: string; _reason?: string }
        Returns: number
      }
      create_book_import: {
        Args: {
          _conversion?: Json
          _default_price?: number
          _default_publisher?: string
          _default_stock?: number
          _file_name?: string
          _fingerprint?: string
          _headings?: Json
          _sets_stock?: boolean
          _source?: string
        }
        Returns: string
      }
      create_purchase_order: {
        Args: { _id: string; _supplier_id: string }
        Returns: string
      }
      create_quote_link: { Args: { _quote_id: string }; Returns: string }
      dashboard_stats: {
        Args: Record<PropertyKey, never>
        Returns: {
          total_books: number
          total_orders: number
          total_reviews: number
          total_stock: number
          total_users: number
        }[]
      }
      date_consultation: {
        Args: {
          _how: string
          _id: string
          _meets_at: string
          _place?: string
          _version: number
        }
        Returns: number
      }
      decide_payment: {
        Args: { _decision: string; _note?: string; _payment_id: string }
        Returns: undefined
      }
      decline_quote: { Args: { _quote_id: string }; Returns: undefined }
      delete_booklist: {
        Args: { _id: string; _updated_at: string }
        Returns: undefined
      }
      delete_event: { Args: { _id: string }; Returns: undefined }
      delete_own_review: { Args: { _book_id: string }; Returns: undefined }
      delivery_fee: {
        Args: { _books_total: number; _method: string; _region: string }
        Returns: number
      }
      demand_salt: { Args: Record<PropertyKey, never>; Returns: string }
      discard_stock_count: { Args: { _count_id: string }; Returns: undefined }
      draft_needed_purchases: {
        Args: { _id: string; _lines: Json }
        Returns: {
          purchase_order_id: string
          supplier_name: string
          titles: number
          unpriced: number
        }[]
      }
      drop_event_registration: { Args: { _id: string }; Returns: undefined }
      email_purchase_order: {
        Args: { _id: string; _version: number }
        Returns: undefined
      }
      end_own_session: { Args: { _id: string }; Returns: boolean }
      end_session_of: {
        Args: { _id: string; _user_id: string }
        Returns: boolean
      }
      export_books: { Args: { _book_ids: string[] }; Returns: Json[] }
      find_booklist: {
        Args: { _code: string }
        Returns: {
          class_name: string
          code: string
          introduction: string
          lines: Json
          school: string
          school_year: string
          updated_at: string
        }[]
      }
      find_changed_delivery_fee: {
        Args: { _books_total: number; _is_digital: boolean; _order_id: string }
        Returns: number
      }
      find_download: {
        Args: { _bytes?: number; _token: string }
        Returns: Json
      }
      find_event: {
        Args: { _slug: string }
        Returns: {
          description: string
          ends_at: string
          id: string
          is_online: boolean
          kind: string
          picture: string
          place: string
          places: number
          places_left: number
          price: number
          revision: number
          slug: string
          starts_at: string
          state: string
          title: string
          updated_at: string
        }[]
      }
      find_event_link: {
        Args: { _token: string }
        Returns: {
          kind: string
          starts_at: string
          state: string
          title: string
        }[]
      }
      find_linked_quote: {
        Args: { _quote_id: string; _token: string }
        Returns: {
          contact_email: string
          contact_name: string
          contact_phone: string
          created_at: string
          delivery_fee: number
          delivery_method: string
          delivery_pricing: string
          id: string
          institution: string
          lines: Json
          message: string
          note: string
          order_id: string
          purchase_order_number: string
          reference: string
          region: string
          sent_at: string
          shop: Json
          status: string
          valid_until: string
          version: number
        }[]
      }
      find_newer_edition: {
        Args: { _book_id: string }
        Returns: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }
        SetofOptions: {
          from: "*"
          to: "books"
          isOneToOne: true
          isSetofReturn: true
        }
      }
      find_own_quote: {
        Args: { _quote_id: string }
        Returns: {
          contact_email: string
          contact_name: string
          contact_phone: string
          created_at: string
          delivery_fee: number
          delivery_method: string
          delivery_pricing: string
          id: string
          institution: string
          lines: Json
          message: string
          note: string
          order_id: string
          purchase_order_number: string
          reference: string
          region: string
          sent_at: string
          shop: Json
          status: string
          valid_until: string
          version: number
        }[]
      }
      find_own_review: {
        Args: { _book_id: string }
        Returns: {
          hidden: boolean
          may_review: boolean
          rating: number
          review_text: string
        }[]
      }
      find_payable_order: {
        Args: { _number: number }
        Returns: {
          due: number
          id: string
          name: string
          number: number
        }[]
      }
      find_payment: { Args: { _reference: string }; Returns: Json }
      forget_old_consultations: { Args: { _most?: number }; Returns: number }
      forget_old_orders: { Args: { _most?: number }; Returns: number }
      forget_old_registrations: { Args: { _most?: number }; Returns: number }
      forget_old_tickets: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      get_user_role: { Args: { _user_id: string }; Returns: string }
      import_booklists: {
        Args: { _dry_run?: boolean; _lists: Json; _publish?: boolean }
        Returns: {
          action: string
          changes: Json
          id: string
          lines: Json
          place: number
          problems: Json
          updated_at: string
        }[]
      }
      is_on_its_way: { Args: { _book_id: string }; Returns: boolean }
      issue_invoice: {
        Args: { _order_id: string }
        Returns: {
          changed_at: string
          issued_at: string
          reference: string
          shop: Json
        }[]
      }
      keep_overpayment: {
        Args: {
          _amount: number
          _note_id?: string
          _order_id: string
          _reason?: string
        }
        Returns: undefined
      }
      list_applied_migrations: {
        Args: Record<PropertyKey, never>
        Returns: string[]
      }
      list_book_choices: {
        Args: {
          _price_range?: number
          _price_steps: number[]
          _search: Database["public"]["CompositeTypes"]["book_search"]
        }
        Returns: {
          books: number
          choice: string
          value: string
        }[]
      }
      list_book_facets: {
        Args: { _q?: string }
        Returns: {
          books: number
          facet: string
          total: number
          value: string
        }[]
      }
      list_book_reviews: {
        Args: { _book_id: string }
        Returns: {
          created_at: string
          id: string
          rating: number
          reader: string
          review_text: string
        }[]
      }
      list_closings: {
        Args: { _day: string }
        Returns: {
          by_name: string
          closed_at: string
          closed_expected: number
          counted: number
          expected: number
          method: string
          note: string
          payments: number
        }[]
      }
      list_copies_to_return: {
        Args: { _order_id: string }
        Returns: {
          copies: number
          order_item_id: string
        }[]
      }
      list_copies_to_send: {
        Args: { _order_ids: string[] }
        Returns: {
          copies: number
          order_id: string
          order_item_id: string
          title: string
        }[]
      }
      list_digital: { Args: { _book_id: string }; Returns: Json }
      list_events: {
        Args: Record<PropertyKey, never>
        Returns: {
          ends_at: string
          is_online: boolean
          kind: string
          picture: string
          place: string
          places: number
          places_left: number
          price: number
          slug: string
          starts_at: string
          title: string
        }[]
      }
      list_given_codes: { Args: { _order_id: string }; Returns: Json }
      list_home_shelves: {
        Args: Record<PropertyKey, never>
        Returns: {
          book_id: string
          position: number
          shelf: string
        }[]
      }
      list_low_stock_books: {
        Args: { _limit?: number }
        Returns: {
          id: string
          publisher: string
          stock_quantity: number
          title: string
        }[]
      }
      list_order_actors: {
        Args: { _order_id: string }
        Returns: {
          id: string
          name: string
        }[]
      }
      list_order_payments: {
        Args: { _order_ids: string[] }
        Returns: {
          due: number
          kept: number
          needs_decision: boolean
          order_id: string
          owed_back: number
          paid: number
          returned: number
          state: string
          total: number
        }[]
      }
      list_order_titles: {
        Args: { _order_ids: string[] }
        Returns: {
          copies: number
          first_titles: Json
          has_downloads: boolean
          order_id: string
          titles: number
        }[]
      }
      list_own_consultations: {
        Args: { _most?: number }
        Returns: {
          about: string
          answers: Json
          classes: string
          created_at: string
          email: string
          id: string
          institution: string
          meeting_place: string
          meets_at: string
          meets_how: string
          name: string
          phone: string
          status: string
          subject: string
          wished_days: string
        }[]
      }
      list_own_quotes: {
        Args: { _page?: number; _page_size?: number }
        Returns: {
          copies: number
          created_at: string
          found: number
          id: string
          institution: string
          order_id: string
          reference: string
          status: string
          total: number
          valid_until: string
        }[]
      }
      list_own_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          id: string
          is_this: boolean
          last_used_at: string
          user_agent: string
        }[]
      }
      list_part_sent: { Args: { _order_ids: string[] }; Returns: string[] }
      list_payment_people: {
        Args: Record<PropertyKey, never>
        Returns: {
          id: string
          name: string
        }[]
      }
      list_publisher_books: {
        Args: { _publisher: string; _section: string }
        Returns: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      list_publisher_spellings: {
        Args: { _publisher_id: string; _q?: string }
        Returns: {
          books: number
          is_close: boolean
          spelling: string
        }[]
      }
      list_publisher_statistics: {
        Args: Record<PropertyKey, never>
        Returns: {
          books: number
          publisher: string
          stock: number
        }[]
      }
      list_purchase_emails: {
        Args: { _id: string }
        Returns: {
          created_at: string
          due_at: string
          id: string
          is_current: boolean
          reason: string
          settled_at: string
          state: string
        }[]
      }
      list_purchase_needs: {
        Args: {
          _covered?: boolean
          _from: string
          _limit?: number
          _publisher?: string
          _supplier?: string
          _to: string
        }
        Returns: {
          book_id: string
          drafted: number
          found: number
          isbn: string
          listed: number
          lists: Json
          needed: number
          on_its_way: number
          proposed: number
          publisher: string
          sold_in_term: number
          sold_in_year: number
          sold_last_year: number
          stock: number
          supplier_id: string
          supplier_name: string
          title: string
          waiting: number
        }[]
      }
      list_receipts: {
        Args: {
          _id?: string
          _page?: number
          _page_size?: number
          _purchase_order_id?: string
        }
        Returns: {
          by_name: string
          copies: number
          cost: number
          created_at: string
          currency: string
          damaged: number
          found: number
          id: string
          lines: Json
          note: string
          purchase_order_id: string
          rate: number
          reference: string
          supplier_name: string
          undone_at: string
        }[]
      }
      list_related_books: {
        Args: { _book_id: string }
        Returns: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      list_rows_left_out: {
        Args: {
          _after_line?: number
          _import_id: string
          _not_books?: boolean
          _page_size?: number
          _to_line?: number
        }
        Returns: {
          cells: Json
          line: number
          problems: string[]
        }[]
      }
      list_sessions_of: {
        Args: { _user_id: string }
        Returns: {
          created_at: string
          id: string
          is_this: boolean
          last_used_at: string
          user_agent: string
        }[]
      }
      list_settings: { Args: Record<PropertyKey, never>; Returns: Json }
      list_shipments: {
        Args: { _order_id: string }
        Returns: {
          carrier: string
          driver_phone: string
          id: string
          lines: Json
          parcel_number: string
          sent_at: string
        }[]
      }
      list_spare_pieces: {
        Args: { _most?: number }
        Returns: {
          name: string
        }[]
      }
      list_stock_count_books: {
        Args: {
          _book_id?: string
          _count_id: string
          _descending?: boolean
          _page?: number
          _page_size?: number
          _q?: string
          _show?: string
          _sort?: string
        }
        Returns: {
          again: boolean
          book_id: string
          counted: number
          counted_by: string
          difference: number
          expected: number
          in_scope: boolean
          isbn: string
          moved: number
          own: number
          publisher: string
          round: number
          scanned_at: string
          shelf: string
          title: string
        }[]
      }
      list_stock_counts: {
        Args: { _id?: string; _page?: number; _page_size?: number }
        Returns: {
          again: number
          again_above: number
          books: number
          by_name: string
          closed_at: string
          closed_by_name: string
          counted: number
          created_at: string
          differences: number
          fewer: number
          id: string
          more: number
          name: string
          outside: number
          scope: string
          scope_value: string
          status: string
          unknown_codes: string[]
        }[]
      }
      list_stock_movements: {
        Args: {
          _book_id: string
          _descending?: boolean
          _page?: number
          _page_size?: number
          _reason?: string
        }
        Returns: {
          balance: number
          by_name: string
          created_at: string
          id: number
          note: string
          order_id: string
          order_number: number
          purchase_reference: string
          quantity: number
          reason: string
          receipt_id: string
        }[]
      }
      list_suppliers: {
        Args: Record<PropertyKey, never>
        Returns: {
          contact_name: string
          currency: string
          delivery_days: number
          discount: number
          email: string
          hidden: boolean
          id: string
          name: string
          phone: string
          purchase_orders: number
          terms: string
          updated_at: string
        }[]
      }
      list_titled_books: {
        Args: { _publisher_id: string }
        Returns: {
          book_id: string
          in_stock: boolean
          place: number
          title: string
        }[]
      }
      list_waiting_emails: {
        Args: Record<PropertyKey, never>
        Returns: {
          copies: number
          emails: number
          event: string
          from_status: string
          is_own: boolean
          is_taken_back: boolean
          order_id: string
          order_number: number
          seconds: number
          shipment_id: string
          status: string
        }[]
      }
      mark_none_found: {
        Args: { _book_id?: string; _count_id: string }
        Returns: number
      }
      match_book_lines: {
        Args: { _lines: Json }
        Returns: {
          books: Json
          line: number
          matches: number
        }[]
      }
      match_statement: {
        Args: { _lines: Json; _method: string }
        Returns: {
          about_line: number
          about_order: number
          doubt: string
          line: number
          matches: number
          orders: Json
          outcome: string
          reason: string
        }[]
      }
      merge_people: {
        Args: { _dry_run?: boolean; _from: string; _into: string }
        Returns: Json
      }
      merge_publisher_spellings: {
        Args: {
          _dry_run?: boolean
          _publisher_id: string
          _spellings: string[]
        }
        Returns: {
          books: number
          spelling: string
        }[]
      }
      moderate_review: {
        Args: { _hidden: boolean; _review_id: string }
        Returns: undefined
      }
      near_books: {
        Args: {
          _found?: number
          _search: Database["public"]["CompositeTypes"]["book_search"]
        }
        Returns: Json
      }
      note_checkout: {
        Args: { _checkout_url: string; _payment_id: string }
        Returns: undefined
      }
      open_payment: { Args: { _order_id: string }; Returns: Json }
      order_again: {
        Args: { _order_id: string; _request_id?: string }
        Returns: {
          added: number
          problem: string
          title: string
          wanted: number
        }[]
      }
      order_publishers: { Args: { _ids: string[] }; Returns: undefined }
      order_timeline: {
        Args: { _order_id: string }
        Returns: {
          happened_at: string
          step: string
        }[]
      }
      own_data: { Args: Record<PropertyKey, never>; Returns: Json }
      own_downloads: { Args: { _order_id: string }; Returns: Json }
      own_second_step: { Args: Record<PropertyKey, never>; Returns: string }
      people_with_second_step: { Args: { _ids: string[] }; Returns: string[] }
      place_order_for: {
        Args: {
          _book_ids: string[]
          _customer_id: string
          _order: Json
          _order_id: string
          _quantities: number[]
          _total: number
        }
        Returns: string
      }
      preview_anonymising: {
        Args: { _user_id?: string; _who?: string }
        Returns: Json
      }
      preview_book_import: {
        Args: {
          _action?: string
          _after_line?: number
          _import_id: string
          _odd?: string
          _page_size?: number
          _to_line?: number
        }
        Returns: {
          action: string
          after: Json
          before: Json
          book_id: string
          cells: Json
          line: number
          moved: string[]
          problems: string[]
          source_currency: string
          source_price: number
        }[]
      }
      queue_low_stock_email: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      read_book_cost: { Args: { _book_id: string }; Returns: number }
      read_sales_check: {
        Args: Record<PropertyKey, never>
        Returns: {
          checked_at: string
          wrong: number
        }[]
      }
      record_failed_email: {
        Args: {
          _email_id: string
          _final?: boolean
          _keeps_place?: boolean
          _lease: string
          _reason: string
        }
        Returns: undefined
      }
      record_payment: {
        Args: {
          _amount: number
          _kind: string
          _method: string
          _more_than_due?: boolean
          _note?: string
          _order_id: string
          _paid_on: string
          _payment_id: string
          _reference?: string
        }
        Returns: string
      }
      record_sent_email: { Args: { _email_id: string }; Returns: undefined }
      record_statement: {
        Args: { _method: string; _payments: Json; _statement_id: string }
        Returns: number
      }
      recount_stock: {
        Args: { _book_id?: string; _count_id: string; _round?: number }
        Returns: number
      }
      refund_payment: {
        Args: {
          _amount: number
          _note?: string
          _payment_id: string
          _refund_id: string
        }
        Returns: string
      }
      register_for_event: {
        Args: {
          _email?: string
          _id: string
          _institution?: string
          _name: string
          _phone?: string
          _slug: string
        }
        Returns: {
          state: string
          waiting_before: number
        }[]
      }
      remove_digital_file: { Args: { _id: string }; Returns: undefined }
      remove_second_step: { Args: { _user_id: string }; Returns: boolean }
      remove_supplier: { Args: { _id: string }; Returns: undefined }
      reopen_consultation: {
        Args: { _id: string; _version: number }
        Returns: number
      }
      report_demand: {
        Args: { _from: string; _kind: string; _limit?: number; _to: string }
        Returns: {
          found: number
          last_day: string
          text: string
          visitors: number
        }[]
      }
      report_demand_over_time: {
        Args: { _from: string; _grain: string; _kind: string; _to: string }
        Returns: {
          start: string
          texts: number
          visitors: number
        }[]
      }
      report_listed: {
        Args: { _from: string; _limit?: number; _to: string }
        Returns: {
          booklist_id: string
          class_name: string
          lists: number
          school: string
          school_year: string
          schools: number
          title: string
        }[]
      }
      report_margins: {
        Args: { _by: string; _from: string; _limit?: number; _to: string }
        Returns: {
          books: number
          copies: number
          cost: number
          costed: number
          key: string
          label: string
        }[]
      }
      report_owed: {
        Args: { _limit?: number }
        Returns: {
          contact: string
          days_30: number
          days_60: number
          days_90: number
          key: string
          label: string
          older: number
          owed: number
        }[]
      }
      report_review: { Args: { _review_id: string }; Returns: undefined }
      report_sales: {
        Args: { _by: string; _from: string; _limit?: number; _to: string }
        Returns: {
          books: number
          contact: string
          copies: number
          delivery: number
          key: string
          label: string
          orders: number
        }[]
      }
      report_sales_over_time: {
        Args: {
          _by?: string
          _from: string
          _grain: string
          _key?: string
          _to: string
        }
        Returns: {
          books: number
          copies: number
          delivery: number
          orders: number
          start: string
        }[]
      }
      report_stock_value: {
        Args: Record<PropertyKey, never>
        Returns: {
          copies: number
          cost: number
          unknown_copies: number
        }[]
      }
      report_takings: {
        Args: { _from: string; _to: string }
        Returns: {
          day: string
          method: string
          paid: number
          payments: number
          refunded: number
        }[]
      }
      report_unsold: {
        Args: { _from: string; _limit?: number; _to: string }
        Returns: {
          added: string
          book_id: string
          price: number
          publisher: string
          stock_quantity: number
          title: string
        }[]
      }
      report_wanted: {
        Args: { _in_stock?: boolean; _limit?: number }
        Returns: {
          book_id: string
          publisher: string
          stock_quantity: number
          title: string
          waiting: number
          wishlists: number
        }[]
      }
      report_wished: {
        Args: { _from: string; _limit?: number; _to: string }
        Returns: {
          added: number
          book_id: string
          publisher: string
          stock_quantity: number
          title: string
          wishlists: number
        }[]
      }
      request_consultation: {
        Args: {
          _about: string
          _classes?: string
          _email?: string
          _id: string
          _institution?: string
          _name: string
          _phone?: string
          _subject?: string
          _wished_days?: string
        }
        Returns: undefined
      }
      request_email_change: {
        Args: { _email: string; _seen_email: string; _user_id: string }
        Returns: undefined
      }
      request_quote: {
        Args: {
          _contact_email: string
          _contact_name: string
          _contact_phone: string
          _delivery_method?: string
          _institution: string
          _message?: string
          _quote_id: string
          _region?: string
        }
        Returns: string
      }
      request_stock_alert: { Args: { _book_id: string }; Returns: undefined }
      resend_email: { Args: { _email_id: string }; Returns: string }
      resend_unsent_emails: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      restore_book: { Args: { _audit_id: number }; Returns: string }
      restore_order: { Args: { _order_id: string }; Returns: string }
      restore_publisher: { Args: { _audit_id: number }; Returns: string }
      restore_review: { Args: { _audit_id: number }; Returns: string }
      return_copies: {
        Args: {
          _lines: Json
          _note?: string
          _order_id: string
          _reason: string
          _return_id: string
        }
        Returns: undefined
      }
      return_email: {
        Args: { _email_id: string; _lease: string }
        Returns: undefined
      }
      return_to_stock: { Args: { _order_id: string }; Returns: undefined }
      save_booklist: {
        Args: {
          _class_name: string
          _id?: string
          _introduction?: string
          _is_listed?: boolean
          _lines: Json
          _pupils?: number
          _school: string
          _school_year: string
          _updated_at?: string
        }
        Returns: {
          class_key: string | null
          class_name: string
          code: string
          created_at: string
          id: string
          introduction: string | null
          is_listed: boolean
          pupils: number | null
          school: string
          school_key: string | null
          school_year: string
          search_text: string | null
          status: string
          updated_at: string
          word_text: string | null
        }
        SetofOptions: {
          from: "*"
          to: "booklists"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      save_event: {
        Args: {
          _description?: string
          _ends_at: string
          _id: string
          _is_online?: boolean
          _join_link?: string
          _kind: string
          _picture?: string
          _place: string
          _places: number
          _price?: number
          _starts_at: string
          _title: string
          _updated_at?: string
        }
        Returns: string
      }
      save_publisher: {
        Args: { _id: string; _publisher: Json; _updated_at?: string }
        Returns: {
          created_at: string
          description: string | null
          has_order_links: boolean
          id: string
          in_filter: boolean
          known_for: string[]
          logo_url: string | null
          mark: number
          name: string
          name_key: string | null
          note: string | null
          page: string
          position: number
          shown: string
          slug: string
          titles: NonNullable<Json>
          updated_at: string
        }
        SetofOptions: {
          from: "*"
          to: "publishers"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      save_supplier: {
        Args: {
          _contact_name?: string
          _currency?: string
          _delivery_days?: number
          _discount?: number
          _email?: string
          _hidden?: boolean
          _id: string
          _name: string
          _phone?: string
          _terms?: string
          _updated_at?: string
        }
        Returns: string
      }
      scan_stock: {
        Args: {
          _book_id?: string
          _code?: string
          _copies?: number
          _count_id: string
          _id: string
        }
        Returns: string
      }
      search_booklists: {
        Args: { _q: string }
        Returns: {
          class_name: string
          code: string
          school: string
          school_year: string
        }[]
      }
      search_books: {
        Args: { _search?: Database["public"]["CompositeTypes"]["book_search"] }
        Returns: {
          age_range: string | null
          authors: string | null
          available_on: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          digital_by: string | null
          edition: string | null
          for_sale: number
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          kind: string
          newer_isbn: string | null
          price: number
          publisher: string | null
          review_count: number
          sale_state: string
          search_text: string | null
          shelf: string | null
          stock_quantity: number
          subject: string | null
          title: string
          title_key: string | null
          updated_at: string
          word_text: string | null
        }[]
        SetofOptions: {
          from: "book_search"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      send_purchase_order: {
        Args: { _id: string; _version: number }
        Returns: string
      }
      send_quote: {
        Args: { _delivery_fee?: number; _quote_id: string; _version: number }
        Returns: string
      }
      set_back_statuses: {
        Args: { _order_ids: string[]; _shown: string[]; _statuses: string[] }
        Returns: {
          number: number
          order_id: string
          problem: string
        }[]
      }
      set_booklist_status: {
        Args: { _id: string; _status: string; _updated_at: string }
        Returns: {
          class_key: string | null
          class_name: string
          code: string
          created_at: string
          id: string
          introduction: string | null
          is_listed: boolean
          pupils: number | null
          school: string
          school_key: string | null
          school_year: string
          search_text: string | null
          status: string
          updated_at: string
          word_text: string | null
        }
        SetofOptions: {
          from: "*"
          to: "booklists"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      set_event_state: {
        Args: { _id: string; _state: string; _updated_at: string }
        Returns: string
      }
      set_order_statuses: {
        Args: {
          _order_ids: string[]
          _shipment?: Json
          _shown: string[]
          _status: string
          _steps_back?: string[]
        }
        Returns: {
          number: number
          order_id: string
          problem: string
        }[]
      }
      settle_payment: {
        Args: {
          _amount?: number
          _currency?: string
          _outcome: string
          _paid_on?: string
          _provider_id?: string
          _reference: string
        }
        Returns: Json
      }
      settle_refund: {
        Args: {
          _amount: number
          _outcome: string
          _provider_id: string
          _reference: string
          _refund_id: string
        }
        Returns: string
      }
      ship_copies: {
        Args: {
          _lines: Json
          _order_id: string
          _shipment?: Json
          _shipment_id: string
        }
        Returns: boolean
      }
      shop_has_demo: { Args: Record<PropertyKey, never>; Returns: boolean }
      stage_book_import_rows: {
        Args: { _import_id: string; _rows: Json }
        Returns: number
      }
      stage_new_rates: {
        Args: { _conversion: Json; _import_id: string }
        Returns: string
      }
      stage_price_change: {
        Args: {
          _kind?: string
          _percent: number
          _publisher?: string
          _q?: string
          _round_to: number
          _sale_state?: string
        }
        Returns: string
      }
      start_download: {
        Args: { _file_id: string; _order_id: string }
        Returns: Json
      }
      stop_emails: { Args: { _events: string[] }; Returns: number }
      stop_quote_links: {
        Args: { _quote_id: string; _version: number }
        Returns: number
      }
      subscribe_to_events: { Args: { _email: string }; Returns: undefined }
      suggest_books: {
        Args: { _q: string }
        Returns: {
          course: string
          id: string
          image_url: string
          price: number
          publisher: string
          subject: string
          title: string
        }[]
      }
      sum_sales: {
        Args: { _from: string[]; _to: string[] }
        Returns: {
          amount: number
          copies: number
          orders: number
        }[]
      }
      summarise_book_import: {
        Args: {
          _after_line?: number
          _import_id: string
          _so_far?: Json
          _to_line?: number
        }
        Returns: {
          added: number
          fields_moved: number
          figures: Json
          not_books: number
          refused: number
          rows: number
          stock_changed: number
          stock_kept: number
          stock_moved: number
          unchanged: number
          updated: number
        }[]
      }
      todays_work: {
        Args: Record<PropertyKey, never>
        Returns: {
          consultations_waiting: number
          owed: number
          owed_back: number
          owed_since: string
          quotes_waiting: number
          to_collect: number
          to_pack: number
          to_refund: number
          to_send: number
          unpaid: number
          waiting_for_books: number
        }[]
      }
      try_order_statuses: {
        Args: {
          _order_ids: string[]
          _shown: string[]
          _status: string
          _steps_back?: string[]
        }
        Returns: {
          copies: number
          emails: number
          number: number
          order_id: string
          owed_back: number
          problem: string
          status: string
          step: string
        }[]
      }
      undo_book_import: {
        Args: { _import_id: string; _rows?: number }
        Returns: {
          actor: string | null
          added: number
          applied_at: string | null
          applied_line: number
          applied_rows: number
          conversion: Json | null
          created_at: string
          default_price: number | null
          default_publisher: string | null
          default_stock: number
          deleted: number
          file_name: string | null
          fingerprint: string | null
          headings: Json | null
          id: string
          kept: number
          not_books: number
          refused: number
          restored: number
          sets_stock: boolean
          source: string | null
          status: string
          total_rows: number
          unchanged: number
          undone_at: string | null
          updated: number
        }
        SetofOptions: {
          from: "*"
          to: "book_imports"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      undo_order_change: { Args: { _audit_id: number }; Returns: undefined }
      undo_receipt: { Args: { _id: string }; Returns: undefined }
      undo_return: { Args: { _return_id: string }; Returns: undefined }
      undo_shipment: { Args: { _shipment_id: string }; Returns: string }
      unsubscribe_from_events: { Args: { _token: string }; Returns: boolean }
      update_purchase_order: {
        Args: { _id: string; _lines: Json; _note?: string; _version: number }
        Returns: number
      }
      update_quote: {
        Args: {
          _delivery?: Json
          _lines: Json
          _note?: string
          _quote_id: string
          _valid_until?: string
          _version: number
        }
        Returns: number
      }
      update_settings: {
        Args: { _seen: Json; _values: Json }
        Returns: {
          id: string
          updated_at: string
          value: NonNullable<Json>
        }[]
        SetofOptions: {
          from: "*"
          to: "shop_settings"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      withdraw_email_change: { Args: { _user_id: string }; Returns: undefined }
      withdraw_free_codes: { Args: { _book_id: string }; Returns: number }
      withdraw_quote: {
        Args: { _quote_id: string; _version: number }
        Returns: undefined
      }
      write_review: {
        Args: { _book_id: string; _rating: number; _review_text?: string }
        Returns: undefined
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      book_search: {
        q: string | null
        publisher: string | null
        course: string | null
        subject: string | null
        grade_level: string | null
        curriculum_type: string | null
        min_price: number | null
        max_price: number | null
        min_rating: number | null
        in_stock: boolean | null
        sort: string | null
        page: number | null
        page_size: number | null
        after_title: string | null
        after_id: string | null
        before_title: string | null
        before_id: string | null
        kind: string | null
        sale_state: string | null
      }
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
