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
          line: number
          problems: string[]
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
          line: number
          problems?: string[]
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
          line?: number
          problems?: string[]
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
          refused: number
          restored: number
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
          refused?: number
          restored?: number
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
          refused?: number
          restored?: number
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
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          edition: string | null
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          price: number
          publisher: string | null
          review_count: number
          search_text: string | null
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
          average_rating?: number | null
          course?: string | null
          created_at?: string
          curriculum_type?: string | null
          description?: string | null
          edition?: string | null
          grade_level?: string | null
          id?: string
          image_url?: string | null
          isbn?: string | null
          isbn_key?: never
          isbn13?: never
          price: number
          publisher?: string | null
          review_count?: number
          search_text?: never
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
          average_rating?: number | null
          course?: string | null
          created_at?: string
          curriculum_type?: string | null
          description?: string | null
          edition?: string | null
          grade_level?: string | null
          id?: string
          image_url?: string | null
          isbn?: string | null
          isbn_key?: never
          isbn13?: never
          price?: number
          publisher?: string | null
          review_count?: number
          search_text?: never
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
          to_status: string
        }
        Insert: {
          actor?: string | null
          created_at?: string
          from_status: string
          id?: never
          order_id: string
          to_status: string
        }
        Update: {
          actor?: string | null
          created_at?: string
          from_status?: string
          id?: never
          order_id?: string
          to_status?: string
        }
        Relationships: []
      }
      order_items: {
        Row: {
          book_id: string | null
          id: string
          isbn: string | null
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
      orders: {
        Row: {
          bus_station: string | null
          created_at: string
          customer_reference: string | null
          delivery_fee: number
          delivery_method: string
          delivery_note: string | null
          digital_address: string | null
          has_undecided_payment: boolean
          id: string
          landmark: string | null
          number: number
          paid_amount: number
          payment_state: string
          recipient_email: string | null
          recipient_name: string | null
          recipient_phone: string | null
          region: string | null
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
          created_at?: string
          customer_reference?: string | null
          delivery_fee?: number
          delivery_method?: string
          delivery_note?: string | null
          digital_address?: string | null
          has_undecided_payment?: boolean
          id?: string
          landmark?: string | null
          number?: never
          paid_amount?: number
          payment_state?: never
          recipient_email?: string | null
          recipient_name?: string | null
          recipient_phone?: string | null
          region?: string | null
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
          created_at?: string
          customer_reference?: string | null
          delivery_fee?: number
          delivery_method?: string
          delivery_note?: string | null
          digital_address?: string | null
          has_undecided_payment?: boolean
          id?: string
          landmark?: string | null
          number?: never
          paid_amount?: number
          payment_state?: never
          recipient_email?: string | null
          recipient_name?: string | null
          recipient_phone?: string | null
          region?: string | null
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
          contact_email: string | null
          contact_name: string | null
          contact_phone: string | null
          created_at: string
          decided_at: string | null
          id: string
          institution: string | null
          message: string | null
          note: string | null
          number: number | null
          order_id: string | null
          purchase_order_number: string | null
          reference: string | null
          search_text: string | null
          sent_at: string | null
          status: string
          updated_at: string
          user_id: string
          valid_until: string | null
          version: number
          year: number | null
        }
        Insert: {
          contact_email?: string | null
          contact_name?: string | null
          contact_phone?: string | null
          created_at?: string
          decided_at?: string | null
          id?: string
          institution?: string | null
          message?: string | null
          note?: string | null
          number?: number | null
          order_id?: string | null
          purchase_order_number?: string | null
          reference?: never
          search_text?: never
          sent_at?: string | null
          status?: string
          updated_at?: string
          user_id: string
          valid_until?: string | null
          version?: number
          year?: number | null
        }
        Update: {
          contact_email?: string | null
          contact_name?: string | null
          contact_phone?: string | null
          created_at?: string
          decided_at?: string | null
          id?: string
          institution?: string | null
          message?: string | null
          note?: string | null
          number?: number | null
          order_id?: string | null
          purchase_order_number?: string | null
          reference?: never
          search_text?: never
          sent_at?: string | null
          status?: string
          updated_at?: string
          user_id?: string
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
      stock_alerts: {
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
      stock_movements: {
        Row: {
          actor: string | null
          book_id: string
          created_at: string
          id: number
          order_id: string | null
          quantity: number
          reason: string
        }
        Insert: {
          actor?: string | null
          book_id: string
          created_at?: string
          id?: never
          order_id?: string | null
          quantity: number
          reason: string
        }
        Update: {
          actor?: string | null
          book_id?: string
          created_at?: string
          id?: never
          order_id?: string | null
          quantity?: number
          reason?: string
        }
        Relationships: []
      }
      terms_versions: {
        Row: {
          delivery_and_returns: string
          published_at: string
          terms: string
          version: number
        }
        Insert: {
          delivery_and_returns?: string
          published_at?: string
          terms?: string
          version?: never
        }
        Update: {
          delivery_and_returns?: string
          published_at?: string
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
      add_order_note: {
        Args: { _body: string; _note_id: string; _order_id: string }
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
        Args: { _publisher?: string; _q?: string }
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
      admin_find_quote: {
        Args: { _quote_id: string }
        Returns: {
          contact_email: string
          contact_name: string
          contact_phone: string
          created_at: string
          decided_at: string
          id: string
          institution: string
          lines: Json
          message: string
          note: string
          order_id: string
          order_number: number
          purchase_order_number: string
          reference: string
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
          _page?: number
          _page_size?: number
          _publisher?: string
          _q?: string
          _sort?: string
        }
        Returns: {
          age_range: string | null
          authors: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          edition: string | null
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          price: number
          publisher: string | null
          review_count: number
          search_text: string | null
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
          created_at: string
          customer_reference: string | null
          delivery_fee: number
          delivery_method: string
          delivery_note: string | null
          digital_address: string | null
          has_undecided_payment: boolean
          id: string
          landmark: string | null
          number: number
          paid_amount: number
          payment_state: string
          recipient_email: string | null
          recipient_name: string | null
          recipient_phone: string | null
          region: string | null
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
          due_at: string
          id: string
          kind: string
          order_id: string
          order_number: number
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
          school: string
          school_year: string
          status: string
          updated_at: string
        }[]
      }
      anonymise_caller: {
        Args: { _who: string }
        Returns: {
          id: string
          number: number
        }[]
      }
      anonymise_customer: { Args: { _user_id: string }; Returns: number }
      apply_book_import: {
        Args: { _import_id: string; _rows?: number; _skip_refused?: boolean }
        Returns: {
          actor: string | null
          added: number
          applied_at: string | null
          applied_line: number
          applied_rows: number
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
          refused: number
          restored: number
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
      claim_email: { Args: Record<PropertyKey, never>; Returns: Json }
      claim_payment_check: { Args: Record<PropertyKey, never>; Returns: Json }
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
      count_old_orders: { Args: { _years: number }; Returns: number }
      count_publisher_books: {
        Args: Record<PropertyKey, never>
        Returns: {
          books: number
          publisher_id: string
        }[]
      }
      create_book_import: {
        Args: {
          _default_price?: number
          _default_publisher?: string
          _default_stock?: number
          _file_name?: string
          _fingerprint?: string
          _headings?: Json
        }
        Returns: string
      }
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
      decide_payment: {
        Args: { _decision: string; _note?: string; _payment_id: string }
        Returns: undefined
      }
      decline_quote: { Args: { _quote_id: string }; Returns: undefined }
      delete_booklist: {
        Args: { _id: string; _updated_at: string }
        Returns: undefined
      }
      delete_own_review: { Args: { _book_id: string }; Returns: undefined }
      delivery_fee: {
        Args: { _books_total: number; _method: string; _region: string }
        Returns: number
      }
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
      find_own_quote: {
        Args: { _quote_id: string }
        Returns: {
          contact_email: string
          contact_name: string
          contact_phone: string
          created_at: string
          id: string
          institution: string
          lines: Json
          message: string
          note: string
          order_id: string
          purchase_order_number: string
          reference: string
          sent_at: string
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
      find_payment: { Args: { _reference: string }; Returns: Json }
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
      issue_invoice: {
        Args: { _order_id: string }
        Returns: {
          issued_at: string
          reference: string
        }[]
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
      list_order_payments: {
        Args: { _order_ids: string[] }
        Returns: {
          due: number
          needs_decision: boolean
          order_id: string
          paid: number
          state: string
          total: number
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
      list_publisher_books: {
        Args: { _publisher: string; _section: string }
        Returns: {
          age_range: string | null
          authors: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          edition: string | null
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          price: number
          publisher: string | null
          review_count: number
          search_text: string | null
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
      list_related_books: {
        Args: { _book_id: string }
        Returns: {
          age_range: string | null
          authors: string | null
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          edition: string | null
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          price: number
          publisher: string | null
          review_count: number
          search_text: string | null
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
          _page_size?: number
          _to_line?: number
        }
        Returns: {
          cells: Json
          line: number
          problems: string[]
        }[]
      }
      list_settings: { Args: Record<PropertyKey, never>; Returns: Json }
      list_titled_books: {
        Args: { _publisher_id: string }
        Returns: {
          book_id: string
          in_stock: boolean
          place: number
          title: string
        }[]
      }
      match_book_lines: {
        Args: { _lines: Json }
        Returns: {
          books: Json
          line: number
          matches: number
        }[]
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
        Args: { _search: Database["public"]["CompositeTypes"]["book_search"] }
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
      preview_book_import: {
        Args: {
          _action?: string
          _after_line?: number
          _import_id: string
          _page_size?: number
          _to_line?: number
        }
        Returns: {
          action: string
          after: Json
          before: Json
          book_id: string
          line: number
          problems: string[]
        }[]
      }
      queue_low_stock_email: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      record_failed_email: {
        Args: {
          _email_id: string
          _final?: boolean
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
      refund_payment: {
        Args: {
          _amount: number
          _note?: string
          _payment_id: string
          _refund_id: string
        }
        Returns: string
      }
      report_review: { Args: { _review_id: string }; Returns: undefined }
      request_quote: {
        Args: {
          _contact_email: string
          _contact_name: string
          _contact_phone: string
          _institution: string
          _message?: string
          _quote_id: string
        }
        Returns: string
      }
      request_stock_alert: { Args: { _book_id: string }; Returns: undefined }
      resend_email: { Args: { _email_id: string }; Returns: string }
      restore_book: { Args: { _audit_id: number }; Returns: string }
      restore_order: { Args: { _order_id: string }; Returns: string }
      restore_publisher: { Args: { _audit_id: number }; Returns: string }
      restore_review: { Args: { _audit_id: number }; Returns: string }
      return_to_stock: { Args: { _order_id: string }; Returns: undefined }
      save_booklist: {
        Args: {
          _class_name: string
          _id?: string
          _introduction?: string
          _is_listed?: boolean
          _lines: Json
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
          average_rating: number | null
          course: string | null
          created_at: string
          curriculum_type: string | null
          description: string | null
          edition: string | null
          grade_level: string | null
          id: string
          image_url: string | null
          isbn: string | null
          isbn_key: string | null
          isbn13: string | null
          price: number
          publisher: string | null
          review_count: number
          search_text: string | null
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
      send_quote: {
        Args: { _quote_id: string; _version: number }
        Returns: string
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
      set_order_statuses: {
        Args: { _order_ids: string[]; _shown: string[]; _status: string }
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
      shop_has_demo: { Args: Record<PropertyKey, never>; Returns: boolean }
      stage_book_import_rows: {
        Args: { _import_id: string; _rows: Json }
        Returns: number
      }
      suggest_books: {
        Args: { _q: string }
        Returns: {
          id: string
          publisher: string
          title: string
        }[]
      }
      summarise_book_import: {
        Args: { _after_line?: number; _import_id: string; _to_line?: number }
        Returns: {
          added: number
          refused: number
          rows: number
          unchanged: number
          updated: number
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
          refused: number
          restored: number
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
      update_quote: {
        Args: {
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
