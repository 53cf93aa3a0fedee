/** Settings by name; every start of the shop passes them, so that a new version can change them. */
export type Parameters = Record<string, string>;

/** A confirmed order is on the disk before the customer sees the confirmation. */
const durable: Parameters = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // The log stays near this size: a checkpoint follows when it is reached, or after five minutes.
  max_wal_size: "128MB",
  min_wal_size: "32MB",
  checkpoint_timeout: "5min",
  autovacuum: "on",
};

/** Parallel plans and replication would cost processes for nothing; shared_buffers follow the size of the database (buffers.ts). */
const small: Parameters = {
  max_connections: "40",
  max_worker_processes: "0",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  max_logical_replication_workers: "0",
  max_wal_senders: "0",
  max_replication_slots: "0",
  autovacuum_worker_slots: "2",
  autovacuum_max_workers: "1",
  io_method: "sync",
  jit: "off",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  // One statement must not fill the disk.
  temp_file_limit: "512MB",
};

/** The log names no statement, value, row or person: only why the server itself cannot go on. */
const silent: Parameters = {
  logging_collector: "off",
  log_destination: "stderr",
  log_min_messages: "fatal",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_autovacuum_min_duration: "-1",
  log_checkpoints: "off",
  log_connections: "",
  log_disconnections: "off",
  log_lock_waits: "off",
  log_temp_files: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_startup_progress_interval: "0",
  log_line_prefix: "",
  lc_messages: "C",
};

/** Limits for forgotten transactions and disconnected clients. */
const bounded: Parameters = {
  idle_in_transaction_session_timeout: "60s",
  ...(process.platform === "win32" ? {} : { client_connection_check_interval: "5s" }),
};

/** Where the server listens: a socket in a folder that only its owner may enter, or loopback where there are none. */
export type Listening = { socketFolder: string; port: number } | { port: number };

/** Whether the server listens on a Unix socket. */
export const hasSocket = (address: Listening): address is { socketFolder: string; port: number } =>
  "socketFolder" in address;

function listening(address: Listening): Parameters {
  const port = String(address.port);
  if (!hasSocket(address)) return { listen_addresses: "127.0.0.1", port };
  return {
    listen_addresses: "",
    unix_socket_directories: address.socketFolder,
    unix_socket_permissions: "0700",
    port,
  };
}

/**
 * The server's arguments.
 * @param overrides settings of a test's own
 * @param name shown by every process of this server, so that it can be found again
 */
export function serverArguments(
  folder: string,
  name: string,
  address: Listening,
  overrides: Parameters = {},
): string[] {
  const ours = { ...durable, ...small, ...silent, ...bounded, ...listening(address) };
  const parameters = { cluster_name: name, ...ours, ...overrides };
  return ["-D", folder, ...Object.entries(parameters).flatMap(([key, value]) => ["-c", `${key}=${value}`])];
}
