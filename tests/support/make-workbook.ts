import { createArchive } from "#app/lib/tables/zip.ts";

/**
 * An Excel workbook with these sheets, each given as the XML of its rows.
 * @param formats of numbers: a cell with s="1" has the first
 * @param hidden names of hidden sheets
 */
export async function makeWorkbook(
  sheets: Record<string, string>,
  formats: readonly string[] = [],
  hidden: readonly string[] = [],
): Promise<Buffer> {
  const archive = createArchive();
  const add = async (name: string, content: string) => {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  };
  const names = Object.keys(sheets);
  await add(
    "xl/workbook.xml",
    `<w>${names.map((name, at) => `<sheet name="${name}"${hidden.includes(name) ? ' state="hidden"' : ""} id="s${at}"/>`).join("")}</w>`,
  );
  await add(
    "xl/_rels/workbook.xml.rels",
    `<R>${names.map((_, at) => `<Relationship Id="s${at}" Type="/worksheet" Target="s${at}.xml"/>`).join("")}<Relationship Id="f" Type="/styles" Target="f.xml"/></R>`,
  );
  const numFmts = formats.map(
    (code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
  );
  const xfs = formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`);
  await add(
    "xl/f.xml",
    `<s><numFmts>${numFmts.join("")}</numFmts><cellXfs><xf/>${xfs.join("")}</cellXfs></s>`,
  );
  for (const [at, rows] of Object.values(sheets).entries()) await add(`xl/s${at}.xml`, `<s>${rows}</s>`);
  return Buffer.from(await new Blob(archive.finish()).arrayBuffer());
}
