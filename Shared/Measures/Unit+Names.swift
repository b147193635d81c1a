/// The words for units in English, German, Dutch, Swedish, Danish, Norwegian, French, Italian, Spanish, Portuguese,
/// Polish, Czech, Hungarian, Japanese and Chinese.
///
/// A single letter is no name of a unit, but for the signs of the gram and the litre: `c`, `t`, `T` mean several things.
/// Neither are words that differ from kitchen to kitchen: Tasse, taza, tasse, the French `cc`.
extension Unit {
    /// The unit that a word or words say: `EL`, `Tbsp.`, `fl. oz.`, `cuillère à soupe`; nil for none.
    ///
    /// Case and the points of abbreviations make no difference; a single letter is `g`, `l` or `L`.
    public init?(named name: some StringProtocol) {
        let words = name.split { $0.isWhitespace || $0 == "." }
        guard let unit = Unit(words: words.map { String($0) }) else { return nil }
        self = unit
    }

    /// - Parameter words: without blanks and points.
    init?(words: [String]) {
        let name = words.joined(separator: " ")
        if name.unicodeScalars.count == 1, name.utf8.count == 1 {
            guard ["g", "l", "L"].contains(name) else { return nil }
        }
        guard let unit = Self.named[name.lowercased()] else { return nil }
        self = unit
    }

    /// How many words the longest name has.
    static let longestName = 3

    /// The names that are written without a blank before or behind the number, in scripts that don't part words.
    static let unparted: [(name: [Unicode.Scalar], unit: Unit)] =
        named
        .filter { name, _ in name.unicodeScalars.allSatisfy { $0.value >= 0x3000 } }
        .map { (Array($0.unicodeScalars), $1) }
        .sorted { $0.name.count > $1.name.count }

    private static let named: [String: Unit] = {
        var named: [String: Unit] = [:]
        for (unit, names) in names {
            for name in names.split(separator: ",") {
                let words = name.split(separator: " ")
                named[words.joined(separator: " ").lowercased()] = unit
            }
        }
        return named
    }()

    private static let names: [(Unit, String)] = [
        (.milligram, "mg, milligram, milligrams, milligramm"),
        (
            .gram,
            """
            g, gr, grm, gm, gms, gram, grams, gramme, grammes, gramm, grammi, grammo, gramo, gramos, grama, \
            gramas, 克, グラム, 公克
            """
        ),
        (.decagram, "dag, dkg, deka, dekagramm, dekagram"),
        (.hectogram, "hg, hektogram, hekto, etto, etti"),
        (
            .kilogram,
            """
            kg, kgs, kilo, kilos, kilogram, kilograms, kilogramm, kilogramo, kilogramos, kilogramme, \
            kilogrammes, chilo, 公斤, 千克
            """
        ),
        (.ounce, "oz, ozs, ounce, ounces"),
        (.pound, "lb, lbs, pound, pounds"),
        (
            .milliliter,
            """
            ml, mls, milliliter, milliliters, millilitre, millilitres, mililitro, mililitros, millilitro, \
            millilitri, 毫升, ミリリットル
            """
        ),
        (
            .centiliter,
            """
            cl, centiliter, centiliters, centilitre, centilitres, zentiliter, centilitro, centilitri
            """
        ),
        (
            .deciliter,
            """
            dl, deciliter, deciliters, decilitre, decilitres, deziliter, decilitro, decilitri, decilitros
            """
        ),
        (.liter, "l, lt, ltr, liter, liters, litre, litres, litro, litros, litri, litr, リットル"),
        (.teaspoon, "tsp, tsps, teaspoon, teaspoons"),
        (.tablespoon, "tbsp, tbsps, tbs, tblsp, tblsps, tablespoon, tablespoons"),
        (.fluidOunce, "fl oz, floz, fluid ounce, fluid ounces, fl ounce, fl ounces"),
        (.cup, "cup, cups"),
        (.pint, "pint, pints, pt, pts"),
        (.quart, "quart, quarts, qt, qts"),
        (.gallon, "gallon, gallons, gal, gals"),
        (.spiceMeasure, "krm, kryddmått"),
        (
            .metricTeaspoon,
            """
            metric tsp, metric teaspoon, metric teaspoons, tl, teelöffel, theelepel, theelepels, tsk, tesked, \
            teskedar, teske, teskje, teskjeer, teskefuld, ts, teskeer, cucchiaino, cucchiaini, cucharadita, \
            cucharaditas, cdta, cdtas, cdita, cditas, cuillère à café, cuillères à café, cuillere a cafe, \
            cuilleres a cafe, cuil à café, c à café, c à c, càc, cac, petite cuillère, petites cuillères, \
            colher de chá, colheres de chá, colher de cha, colheres de cha, lžička, lžičky, lžiček, \
            čajová lyžička, łyżeczka, łyżeczki, łyżeczek, 小さじ, 小匙, teáskanál
            """
        ),
        (
            .metricTablespoon,
            """
            metric tbsp, metric tablespoon, metric tablespoons, el, essl, esslöffel, eetlepel, eetlepels, \
            msk, matsked, matskedar, spsk, spiseske, spiseskeer, spiseskefulde, ss, spiseskje, spiseskjeer, \
            cucchiaio, cucchiai, cucharada, cucharadas, cda, cdas, cuillère à soupe, cuillères à soupe, \
            cuillere a soupe, cuilleres a soupe, cuil à soupe, c à soupe, c à s, càs, cas, grande cuillère, \
            grandes cuillères, colher de sopa, colheres de sopa, lžíce, lžic, polévková lžíce, łyżka, łyżki, \
            łyżek, 大さじ, 大匙, evőkanál
            """
        ),
        (.metricCup, "metric cup, metric cups"),
        (
            .imperialFluidOunce,
            """
            imp fl oz, imperial fl oz, imperial fluid ounce, imperial fluid ounces, uk fl oz
            """
        ),
        (.imperialPint, "imp pint, imp pints, imperial pint, imperial pints, uk pint, uk pints"),
        (.imperialQuart, "imp quart, imp quarts, imperial quart, imperial quarts, uk quart"),
        (
            .imperialGallon,
            """
            imp gallon, imp gallons, imperial gallon, imperial gallons, uk gallon, uk gallons
            """
        ),
        (
            .bag,
            """
            bag, bags, beutel, zak, zakje, zakjes, påse, påsar, pose, poser, bustina, bustine, bolsa, bolsas
            """
        ),
        (
            .bottle,
            """
            bottle, bottles, flasche, flaschen, fles, flessen, flaska, flaskor, flaske, flasker, bottiglia, \
            bottiglie, botella, botellas, bouteille, bouteilles
            """
        ),
        (.box, "box, boxes, schachtel, schachteln, doos, doosje, doosjes"),
        (
            .bunch,
            """
            bunch, bunches, bund, bunde, bosje, bosjes, bos, knippe, knippen, bundt, bunt, bouquet, bouquets, \
            botte, bottes, mazzetto, mazzetti, mazzo, manojo, manojos
            """
        ),
        (
            .can,
            """
            can, cans, tin, tins, dose, dosen, blik, blikken, blikje, blikjes, burk, burkar, dåse, dåser, \
            boks, bokser, boîte, boîtes, boite, boites, lata, latas, lattina, lattine
            """
        ),
        (
            .clove,
            """
            clove, cloves, zehe, zehen, teen, tenen, teentje, teentjes, klyfta, klyftor, fed, fedd, gousse, \
            gousses, spicchio, spicchi, diente, dientes, dente, dentes
            """
        ),
        (.container, "container, containers, tub, tubs, becher, beker"),
        (.cube, "cube, cubes, würfel, blokje, blokjes, dado, dadi, tärning, tärningar, tern"),
        (.dash, "dash, dashes"),
        (
            .drop,
            """
            drop, drops, tropfen, druppel, druppels, droppe, droppar, dråbe, dråber, dråpe, dråper, goutte, \
            gouttes, goccia, gocce, gota, gotas
            """
        ),
        (.envelope, "envelope, envelopes, sachet, sachets, tüte, tüten, tütchen"),
        (
            .handful,
            """
            handful, handfuls, handvoll, handjevol, handje, handvol, näve, nävar, håndfuld, håndfull, neve, \
            poignée, poignées, manciata, manciate, puñado, puñados
            """
        ),
        (.head, "head, heads, kopf, köpfe, krop, kroppen"),
        (.jar, "jar, jars, glas, gläser, pot, pots, potje, potjes, vasetto, vasetti, tarro, tarros"),
        (.knob, "knob, knobs, klontje, klont"),
        (
            .leaf,
            """
            leaf, leaves, blatt, blätter, blaadje, blaadjes, blad, feuille, feuilles, foglia, foglie, hoja, \
            hojas
            """
        ),
        (.loaf, "loaf, loaves"),
        (
            .package,
            """
            package, packages, pkg, pkgs, pack, packs, packet, packets, pkt, päckchen, packung, packungen, \
            pck, pak, pakje, pakjes, paket, förp, förpackning, pakke, pakker, paquet, paquets, confezione, \
            confezioni, paquete, paquetes
            """
        ),
        (
            .piece,
            """
            piece, pieces, pc, pcs, stück, stücke, stk, stuk, stuks, st, styck, stycken, stykke, stykker, \
            pezzo, pezzi, pieza, piezas, 個, 个, 枚, 本, 片
            """
        ),
        (
            .pinch,
            """
            pinch, pinches, prise, prisen, msp, messerspitze, messerspitzen, snuf, snufje, snufjes, nypa, \
            nypor, knivspids, knivsodd, knivsudd, klype, pincée, pincées, pizzico, pizzichi, pizca, pizcas, \
            pitada, pitadas, špetka, szczypta
            """
        ),
        (.sheet, "sheet, sheets, platte, platten, vel, vellen, plade, plader"),
        (
            .slice,
            """
            slice, slices, scheibe, scheiben, plak, plakken, plakje, plakjes, snee, sneetje, sneetjes, \
            sneden, skiva, skivor, skive, skiver, tranche, tranches, fetta, fette, rebanada, rebanadas, \
            loncha, lonchas
            """
        ),
        (.splash, "splash, splashes, schuss, spritzer, scheut, scheutje, skvätt, skvett"),
        (
            .sprig,
            """
            sprig, sprigs, zweig, zweige, takje, takjes, kvist, kvistar, kvister, brin, brins, branche, \
            branches, rametto, rametti, ramita, ramitas
            """
        ),
        (
            .stalk,
            """
            stalk, stalks, stange, stangen, stengel, stengels, stängel, stjälk, stjälkar, stilk, stilke, \
            stilker, tige, tiges, gambo, gambi, costa, coste, tallo, tallos
            """
        ),
        (.stick, "stick, sticks"),
        (.tube, "tube, tubes, tubetto, tubetti"),
    ]
}
