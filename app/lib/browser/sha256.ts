const K = Uint32Array.from({ length: 64 }, (_, index) => fraction(Math.cbrt(primeAt(index))));
const START = Uint32Array.from({ length: 8 }, (_, index) => fraction(Math.sqrt(primeAt(index))));
const BLOCK = 64;

function primeAt(index: number): number {
  let prime = 2;
  for (let found = 0; ; prime += 1) {
    let isPrime = true;
    for (let by = 2; by * by <= prime; by += 1) if (prime % by === 0) isPrime = false;
    if (isPrime && found++ === index) return prime;
  }
}

/** The first 32 bits of a number's fraction. */
function fraction(number: number): number {
  return ((number % 1) * 2 ** 32) | 0;
}

/**
 * Incremental SHA-256: the browser's own needs the whole file in memory, and a secure origin.
 * FIPS 180-4, https://csrc.nist.gov/pubs/fips/180-4/upd1/final
 * @returns `add` for the next bytes; `digest` for the hash in 64 hexadecimal digits, once
 */
export function createSha256(): { add: (bytes: Uint8Array) => void; digest: () => string } {
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const rest = new Uint8Array(BLOCK);
  let restLength = 0;
  let length = 0;

  function addBlock(bytes: Uint8Array, at: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK);
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(4 * i);
    for (let i = 16; i < 64; i += 1) {
      const w15 = words[i - 15] as number;
      const w2 = words[i - 2] as number;
      const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
      const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
      words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; i += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (words[i] as number)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
      state[index] = (state[index] as number) + word;
    });
  }

  function add(bytes: Uint8Array): void {
    length += bytes.length;
    let at = 0;
    if (restLength > 0) {
      at = Math.min(BLOCK - restLength, bytes.length);
      rest.set(bytes.subarray(0, at), restLength);
      restLength += at;
      if (restLength < BLOCK) return;
      addBlock(rest, 0);
      restLength = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) addBlock(bytes, at);
    rest.set(bytes.subarray(at));
    restLength = bytes.length - at;
  }

  function digest(): string {
    const bits = length * 8;
    const end = new Uint8Array((restLength < 56 ? 56 : 120) - restLength + 8);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits % 2 ** 32);
    add(end);
    return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  return { add, digest };
}
