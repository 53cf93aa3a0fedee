import { createArchive } from "#app/lib/tables/zip.ts";

/** An Excel workbook with these sheets, each given as the XML of its rows. */
export async function makeWorkbook(sheets: Record<string, string>): Promise<Buffer> {
  const archive = createArchive();
  const add = async (name: string, content: string) => {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  };
  const names = Object.keys(sheets);
  await add(
    "xl/workbook.xml",
    `<w>${names.map((name, at) => `<sheet name="${name}" id="s${at}"/>`).join("")}</w>`,
  );
  await add(
    "xl/_rels/workbook.xml.rels",
    `<R>${names.map((_, at) => `<Relationship Id="s${at}" Type="/worksheet" Target="s${at}.xml"/>`).join("")}</R>`,
  );
  for (const [at, rows] of Object.values(sheets).entries()) await add(`xl/s${at}.xml`, `<s>${rows}</s>`);
  return Buffer.from(await new Blob(archive.finish()).arrayBuffer());
}
