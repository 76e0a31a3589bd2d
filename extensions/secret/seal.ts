import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";

const HEADER = "sealed with a passphrase by the zot extension secret, 1";
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** 32 MiB and some 100 ms for each try. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** As mail has them: diffs stay readable. */
const ROW = /.{1,76}/g;

/** Encrypts `plain`; the result is text, so that it can be committed. AES-256-GCM, the key made by scrypt. */
export async function seal(plain: Uint8Array, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), nonce);
  cipher.setAAD(Buffer.from(HEADER));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const text = Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString("base64");
  return [HEADER, ...(text.match(ROW) ?? []), ""].join("\n");
}

/** Undoes `seal`. Throws when `sealed` was not made by it, was changed since, or with another passphrase. */
export async function unseal(sealed: string, passphrase: string): Promise<Uint8Array> {
  const [header, ...lines] = sealed.split(/\r?\n/);
  const bytes = Buffer.from(lines.join(""), "base64");
  const bodyAt = SALT_BYTES + NONCE_BYTES + TAG_BYTES;
  if (header !== HEADER || bytes.length < bodyAt) throw new Error("this is no sealed file");
  const nonceAt = SALT_BYTES;
  const tagAt = SALT_BYTES + NONCE_BYTES;
  const key = await keyOf(passphrase, bytes.subarray(0, nonceAt));
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, tagAt));
  decipher.setAAD(Buffer.from(HEADER));
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
  } catch {
    // The library says "unable to authenticate data", which nobody understands.
    throw new Error("wrong passphrase, or the file was changed");
  }
}

function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same passphrase must give the same key from every keyboard.
    scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
