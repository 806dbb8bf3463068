// erfc and the inverse of erf.
import type { Value } from '../../program.ts';
import type { Formula } from './formula.ts';

// Rational and polynomial approximations of the Cephes library (S. L. Moshier): ndtr.c for f64, ndtrf.c for f32.
const f64Forms = {
  // erf x = x·T(x²)/U(x²) where |x| < 1
  t: [9.604973739870516, 90.02601972038427, 2232.005345946843, 7003.325141128051, 55592.30130103949],
  u: [1, 33.56171416475031, 521.3579497801527, 4594.323829709801, 22629.000061389095, 49267.39426086359],
  // erfc x = e^(-x²)·P(x)/Q(x) where 1 ≤ x < 8
  p: [
    2.461969814735305e-10, 0.5641895648310689, 7.463210564422699, 48.63719709856814, 196.5208329560771,
    526.4451949954773, 934.5285271719576, 1027.5518868951572, 557.5353353693994,
  ],
  q: [
    1, 13.228195115474499, 86.70721408859897, 354.9377788878199, 975.7085017432055, 1823.9091668790973,
    2246.3376081871097, 1656.6630919416134, 557.5353408177277,
  ],
  // erfc x = e^(-x²)·R(x)/S(x) where 8 ≤ x
  r: [
    0.5641895835477551, 1.275366707599781, 5.019050422511805, 6.160210979930536, 7.4097426995044895, 2.9788666537210022,
  ],
  s: [
    1, 2.2605286322011726, 9.396035249380015, 12.048953980809666, 17.08144507475659, 9.608968090632859,
    3.369076451000815,
  ],
  maxLog: 709.782712893384,
};
const f32Forms = {
  // erf x = x·T(x²) where |x| < 1
  t: [
    0.00007853861353153693, -0.0008010193625184903, 0.005188327685732524, -0.02685381193529856, 0.1128358514861418,
    -0.37612625824233, 1.12837916572671,
  ],
  // erfc x = e^(-x²)/x·P(1/x²) where 1 ≤ x < 2
  p: [
    0.02326819970068386, -0.1387039388740657, 0.3687424674597105, -0.5824733027278666, 0.6210004621745983,
    -0.4944515323274145, 0.3404879937665872, -0.2741127028184656, 0.5638259427386472,
  ],
  // erfc x = e^(-x²)/x·R(1/x²) where 2 ≤ x
  r: [
    -10.47766399936249, 12.97719955372516, -7.495518717768503, 2.921019019210786, -1.0152652792027, 0.4218463358204948,
    -0.2820767439740514, 0.5641895067754075,
  ],
  maxLog: 88.72283905206835,
};

/** 1 - erf x, accurate even if it is small. */
export function erfc(f: Formula, x: Value): Value {
  const isWide = f.elementType === 'f64';
  const size = f.abs(x);
  const square = f.square(x);
  const exponent = f.negate(square);
  const gaussian = f.exp(exponent);

  let erf: Value;
  let far: Value;
  if (isWide) {
    const { t, u, p, q, r, s } = f64Forms;
    erf = f.divide(f.multiply(x, f.polynomial(t, square)), f.polynomial(u, square));
    const middle = f.divide(f.multiply(gaussian, f.polynomial(p, size)), f.polynomial(q, size));
    const beyond = f.divide(f.multiply(gaussian, f.polynomial(r, size)), f.polynomial(s, size));
    far = f.select(f.compare('LT', size, 8), middle, beyond);
  } else {
    const { t, p, r } = f32Forms;
    erf = f.multiply(x, f.polynomial(t, square));
    const inverse = f.divide(1, square);
    const polynomial = f.select(f.compare('LT', size, 2), f.polynomial(p, inverse), f.polynomial(r, inverse));
    far = f.multiply(f.multiply(gaussian, f.divide(1, size)), polynomial);
  }
  const { maxLog } = isWide ? f64Forms : f32Forms;
  const clamped = f.select(f.compare('LT', exponent, -maxLog), 0, far);
  const outside = f.select(f.compare('LT', x, 0), f.subtract(2, clamped), clamped);
  return f.select(f.compare('LT', size, 1), f.subtract(1, erf), outside);
}

// Polynomials in w = -log(1 - x²), shifted, and in √w where w is large: M. Giles, "Approximating the erfinv function",
// GPU Computing Gems Jade Edition, 2011.
const f32Center = [
  2.81022636e-8, 3.43273939e-7, -3.5233877e-6, -4.39150654e-6, 0.00021858087, -0.00125372503, -0.00417768164,
  0.246640727, 1.50140941,
];
const f32Tail = [
  -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
  1.00167406, 2.83297682,
];
const f64Center = [
  -3.64441206401782e-21, -1.6850591381820166e-19, 1.28584807152564e-18, 1.1157877678025181e-17, -1.333171662854621e-16,
  2.0972767875968562e-17, 6.637638134358324e-15, -4.054566272975207e-14, -8.151934197605472e-14, 2.6335093153082323e-12,
  -1.2975133253453532e-11, -5.415412054294628e-11, 1.0512122733215323e-9, -4.112633980346984e-9, -2.9070369957882005e-8,
  4.2347877827932404e-7, -0.0000013654692000834679, -0.000013882523362786469, 0.00018673420803405714,
  -0.000740702534166267, -0.006033670871430149, 0.24015818242558962, 1.6536545626831027,
];
const f64Middle = [
  2.2137376921775787e-9, 9.075656193888539e-8, -2.7517406297064545e-7, 1.8239629214389228e-8, 0.0000015027403968909828,
  -0.000004013867526981546, 0.0000029234449089955446, 0.000012475304481671779, -0.000047318229009055734,
  0.00006828485145957318, 0.000024031110387097894, -0.0003550375203628475, 0.0009532893797373805,
  -0.0016882755560235047, 0.002491442096107851, -0.003751208507569241, 0.005370914553590064, 1.0052589676941592,
  3.0838856104922208,
];
const f64Tail = [
  -2.7109920616438573e-11, -2.555641816996525e-10, 1.5076572693500548e-9, -3.789465440126737e-9, 7.61570120807834e-9,
  -1.496002662714924e-8, 2.914795345090108e-8, -6.771199775845234e-8, 2.2900482228026655e-7, -9.9298272942317e-7,
  0.000004526062597223154, -0.00001968177810553167, 0.00007599527703001776, -0.00021503011930044477,
  -0.00013871931833623122, 1.0103004648645344, 4.849906401408584,
];

/** The y with erf y = x; ±∞ at ±1. */
export function erfInv(f: Formula, x: Value): Value {
  const w = f.negate(f.log1p(f.multiply(x, f.negate(x))));
  const root = f.sqrt(w);
  const p =
    f.elementType === 'f64'
      ? f.select(
          f.compare('LT', w, 6.25),
          f.polynomial(f64Center, f.subtract(w, 3.125)),
          f.select(
            f.compare('LT', w, 16),
            f.polynomial(f64Middle, f.subtract(root, 3.25)),
            f.polynomial(f64Tail, f.subtract(root, 5)),
          ),
        )
      : f.select(
          f.compare('LT', w, 5),
          f.polynomial(f32Center, f.subtract(w, 2.5)),
          f.polynomial(f32Tail, f.subtract(root, 3)),
        );
  return f.select(f.compare('EQ', f.abs(x), 1), f.multiply(x, Infinity), f.multiply(p, x));
}
