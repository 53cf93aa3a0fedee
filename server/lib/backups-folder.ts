import { join } from "node:path";

/** Where backups are stored. */
export const backupsFolder = (dataDir: string) => join(dataDir, "backups");
