/** An email address, or N/A; where it does not fit it breaks after the @ first. */
export function EmailText({ address }: { address: string | null | undefined }) {
  if (!address) return "N/A";
  const domain = address.lastIndexOf("@") + 1;
  return (
    <bdi className="wrap-anywhere">
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </bdi>
  );
}
