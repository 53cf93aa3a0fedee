import { expect, test } from "vitest";
import { firstShop as shop } from "#shared/owner/settings.ts";
import { layOut } from "./layout.ts";

const laidOut = () =>
  layOut(
    {
      heading: "Books & more",
      blocks: [
        { kind: "text", text: "We have <it>." },
        {
          kind: "facts",
          facts: [
            ["Name", "Ama 'A' Mensah"],
            ["Phone", "+233201234567"],
          ],
        },
        {
          kind: "lines",
          lines: [
            { text: "2 × Atlas", note: "Collins", amount: "GH₵10.00" },
            { text: "1 × Maths", note: "", amount: "GH₵5.00" },
          ],
          total: "GH₵15.00",
        },
        { kind: "lines", lines: [{ text: "Algebra", note: "", amount: "3 left" }] },
        { kind: "link", label: "See your order", url: "https://shop.example/a?b=1&c=2" },
      ],
    },
    "https://shop.example",
    shop,
  );

const phones = shop.phones.join(", ");

test("Each part of an email is a paragraph of its text", () => {
  expect(laidOut().text).toBe(`Books & more

We have <it>.

Name: Ama 'A' Mensah
Phone: +233201234567

2 × Atlas (Collins): GH₵10.00
1 × Maths: GH₵5.00
Total: GH₵15.00

Algebra: 3 left

See your order:
https://shop.example/a?b=1&c=2

${shop.name}
${shop.address.join(", ")}
${phones}, ${shop.email}
https://shop.example
Terms: https://shop.example/terms
Privacy: https://shop.example/privacy
`);
});

test("Each part of an email is an element of its page, with its texts escaped", () => {
  const plain = laidOut().html.replace(/ (?:style|role|width|cellpadding|cellspacing|align)="[^"]*"/g, "");
  expect(plain.slice(plain.indexOf("<title>"))).toBe(`<title>Books &amp; more</title>
  </head>
  <body>
    <div>
      <h1>Books &amp; more</h1>
<p>We have &lt;it&gt;.</p>
<p><span>Name</span><br><bdi>Ama &#39;A&#39; Mensah</bdi></p>
<p><span>Phone</span><br><bdi>+233201234567</bdi></p>
<table>
<tr><td><bdi>2 × Atlas</bdi><br><span><bdi>Collins</bdi></span></td><td>GH₵10.00</td></tr>
<tr><td><bdi>1 × Maths</bdi></td><td>GH₵5.00</td></tr>
<tr><td><strong>Total</strong></td><td><strong>GH₵15.00</strong></td></tr></table>
<table>
<tr><td><bdi>Algebra</bdi></td><td>3 left</td></tr>
</table>
<p><a href="https://shop.example/a?b=1&amp;c=2">See your order</a></p>
      <p>${shop.name}<br>${shop.address.join(", ")}<br>${phones}, ${shop.email}<br>https://shop.example<br>Terms: https://shop.example/terms<br>Privacy: https://shop.example/privacy</p>
    </div>
  </body>
</html>
`);
});
