import { savedBookList } from "#app/features/books/saved-book-list.ts";
import { openStockAlerts } from "./stock-alert.queries.ts";

export const stockAlertsGateway = savedBookList("stock-alerts", openStockAlerts);
