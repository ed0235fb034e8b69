// The constants of the engine in plain JavaScript, from At.secret on: see src/plain/memory.ts.
// They stand in the core in the same order, where gzip finds them.
const hex = [
  // The secret of XXH3.
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c",
  "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364",
  "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e",
  // Its sums at the start, which are its primes.
  "3daeb2c20000000087caeb85b179379e4febd4273daeb2c2f979379eb167561663aeb2c277caeb8577caeb8500000000c56756162febd427b179379e00000000",
  // The salts of split blocks.
  "7b13b647914d97445bad24889d28b7a2c79554704b42f12d4749fc9e31fb6b5c",
  // The two factors of all families, and the one of rounds of ribbon.
  "95ef82de432534d1",
  "b525f0b0f31a25af",
  "999a6a67d0636c9e",
  // Factors of XXH3 that are no primes.
  "25df981e651cb29f",
  "f979379e91675616",
];

const bytes = Buffer.from(hex.join(""), "hex");

/** Eight bytes of the secret, exclusive-ored with the next eight. */
const both = (at) => Buffer.from(bytes.subarray(at, at + 8).map((b, i) => b ^ bytes[at + 8 + i]));

export const constants = Buffer.concat([bytes, ...[24, 40, 8, 56].map(both)]);
